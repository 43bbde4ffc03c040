package main

import (
	"time"

	"multitext/manager/internal/figure"
)

// instant prints a time for programs, "-" for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// cpu prints seconds of CPU, "-" for none.
func cpu(seconds float64) string {
	if seconds == 0 {
		return "-"
	}
	return figure.Span(time.Duration(seconds * float64(time.Second)))
}
