    AND (@snapshot@ = 0 OR (process, load_id, if(load_id = 0, toUnixTimestamp(ts), 0)) GLOBAL IN (
      SELECT process, argMax(seen_load, age), argMax(seen_moment, age) FROM (
        SELECT process, seen_load, seen_moment, (begins, seen_moment, seen_load) AS age FROM (
          SELECT process, load_id AS seen_load, if(load_id = 0, toUnixTimestamp(ts), 0) AS seen_moment FROM @db@profile_samples
          WHERE @snapshot@ AND @rows@
          GROUP BY process, seen_load, seen_moment) AS seen
        LEFT JOIN (SELECT load_id, begins FROM @db@profile_loads WHERE @snapshot@) AS loads ON seen_load = load_id)
      GROUP BY process))
