SELECT DISTINCT replaceAll(replaceAll(toString(service), '%', '%25'), '\\', '%5C') AS name FROM @db@profile_series WHERE last >= @from@ AND first < @to@ ORDER BY name
