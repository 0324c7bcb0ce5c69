SELECT ts, stack_hash, toUInt64(${number:raw}) AS n FROM @table@
  WHERE if(@snapshot@ OR ${__to} - ${__from} <= 172800000, 1, 3600) = @resolution@
    AND service = ${service:sqlstring} AND kind = ${kind:sqlstring} AND ts >= @from@ AND ts < @to@
    AND ('' IN (${label:sqlstring}) OR arrayExists(k -> concat(k, '=', labels[k]) IN (${label:sqlstring}), mapKeys(labels)))
    AND load_id NOT IN (SELECT load_id FROM @db@profile_hidden_loads)
