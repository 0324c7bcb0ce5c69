SELECT DISTINCT replaceAll(replaceAll(toString(kind), '%', '%25'), '\\', '%5C') AS name FROM @db@profile_series WHERE service = @service@ AND last >= @from@ AND first < @to@ ORDER BY name
