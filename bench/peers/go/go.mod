module jfrtree-bench-peer

go 1.24.0

require github.com/grafana/jfr-parser v0.14.0

require golang.org/x/text v0.22.0 // indirect
