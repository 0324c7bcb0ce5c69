    AND (NOT @snapshot@ OR (process, ts) IN (SELECT process, max(ts) FROM @db@profile_samples
      WHERE service = ${service:sqlstring} AND kind = ${kind:sqlstring} AND ts >= @from@ AND ts < @to@ GROUP BY process))
