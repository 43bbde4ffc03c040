// Package figure formats numbers and times for people. "-" stands for none, or for an unknown
// value.
package figure

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Number formats a number. It returns "-" for 0, so that the other numbers of a table stand out.
func Number[T int | int64](n T) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(int64(n), 10)
}

// Known formats a number, or returns "-" if it is unknown.
func Known(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}

// Count formats a number with its noun: "1 batch", "2 batches".
func Count[T int | int64 | uint64](n T, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Bytes formats a size: "13.0 MB".
func Bytes(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// Size formats a size, or returns "-" for 0.
func Size(n int64) string {
	if n == 0 {
		return "-"
	}
	return Bytes(n)
}

// Percent formats a share of a whole: "40 %" for 0.4.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// Stamp formats a time with its date, or returns "-" for none.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format(time.DateTime)
}

// Until formats a future time and the time left until then, or returns "-" for none.
func Until(t, now time.Time) string {
	switch {
	case t.IsZero():
		return "-"
	case !t.After(now):
		return "now"
	}
	return fmt.Sprintf("%s (in %s)", Clock(t, now), Span(t.Sub(now)))
}

// Age formats the time that has passed since a time, or returns "-" for none.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return Span(max(now.Sub(t), 0))
}

// Seconds formats a duration, or returns "-" for none.
func Seconds(s float64) string {
	if s == 0 {
		return "-"
	}
	return Span(time.Duration(s * float64(time.Second)))
}

// Clock formats a near time as the time of day. If its date is not that of now, Clock adds the
// date.
func Clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return t.Format(time.DateTime)
	}
	return t.Format(time.TimeOnly)
}

// Span formats a duration with its two largest units: "2m05s".
func Span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/day, d%day/time.Hour)
}
