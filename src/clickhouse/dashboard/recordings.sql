SELECT source, host, producer, chunks, start, end, events, samples FROM @db@profile_recordings
WHERE service = @service@ AND end >= @from@ AND start < @to@
ORDER BY start DESC LIMIT 1000
