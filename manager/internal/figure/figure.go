// Package figure writes numbers and times for people. "-" stands for none, or for what is not
// known.
package figure

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Number writes a number, "-" for 0, so that a table shows what there is.
func Number[T int | int64](n T) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(int64(n), 10)
}

// Known writes a number that may be unknown: "-" then.
func Known(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}

// Count writes a number with its noun: "1 batch", "2 batches".
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

// Bytes writes a size: "13.0 MB".
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

// Size writes a size, "-" for 0.
func Size(n int64) string {
	if n == 0 {
		return "-"
	}
	return Bytes(n)
}

// Stamp writes a time with its day, "-" for none.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format(time.DateTime)
}

// Until writes a time to come and how far off it is, "-" for none.
func Until(t, now time.Time) string {
	switch {
	case t.IsZero():
		return "-"
	case !t.After(now):
		return "now"
	}
	return fmt.Sprintf("%s (in %s)", Clock(t, now), Span(t.Sub(now)))
}

// Age writes how long ago a time was, "-" for none.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return Span(max(now.Sub(t), 0))
}

// Seconds writes a duration, "-" for none.
func Seconds(s float64) string {
	if s == 0 {
		return "-"
	}
	return Span(time.Duration(s * float64(time.Second)))
}

// Clock writes a time to come, or just past, by the clock on the wall; with the
// day where it is another than that of now.
func Clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return t.Format(time.DateTime)
	}
	return t.Format(time.TimeOnly)
}

// Span writes a duration by its two largest units: "2m05s".
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
