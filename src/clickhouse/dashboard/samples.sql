SELECT ts, stack_hash, toUInt64(${number:raw}) AS n FROM @table@
  WHERE multiIf(@snapshot@ OR ${__to} - ${__from} <= 21600000, 1, ${__to} - ${__from} <= 604800000, 60, 3600) = @resolution@
    AND @rows@
