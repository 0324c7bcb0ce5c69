SELECT ts, stack_hash, toUInt64(@number@) AS n FROM @table@
  WHERE if(@snapshot@ OR ${__to} - ${__from} <= 172800000, 1, 3600) = @resolution@
    AND @rows@
