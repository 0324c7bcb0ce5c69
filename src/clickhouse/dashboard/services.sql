SELECT DISTINCT service FROM @db@profile_series WHERE last >= @from@ AND first < @to@ ORDER BY service
