SELECT DISTINCT kind FROM @db@profile_series WHERE service = ${service:sqlstring} AND last >= @from@ AND first < @to@ ORDER BY kind
