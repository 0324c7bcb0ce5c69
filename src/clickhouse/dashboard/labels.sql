SELECT concat(key, '=', value) AS label FROM @db@profile_labels WHERE service = ${service:sqlstring} AND until >= @from@ AND since < @to@ ORDER BY label
