SELECT replaceAll(replaceAll(concat(key, '=', value), '%', '%25'), '\\', '%5C') AS label FROM @db@profile_labels WHERE service = @service@ AND until >= @from@ AND since < @to@ ORDER BY label
