service = @service@ AND kind = @kind@ AND ts >= @from@ AND ts < @to@
    AND (has([${label:sqlstring}], '') OR arrayExists(
      k -> has(arrayMap(chosen -> decodeURLComponent(chosen), [${label:sqlstring}]), concat(k, '=', labels[k])), mapKeys(labels)))
    AND load_id GLOBAL NOT IN (SELECT load_id FROM @db@profile_hidden_loads)
