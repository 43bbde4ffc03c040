package script

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const durationForm = `a duration has units, as in "30s", "90m", "1h30m" or "2d"`

// parseDuration reads Go's durations of at least a millisecond, with an optional number of days
// before them. Zero is valid.
func parseDuration(text string) (time.Duration, error) {
	days, rest, found := strings.Cut(text, "d")
	if !found {
		days, rest = "0", text
	}
	n, err := strconv.ParseUint(days, 10, 16)
	if err != nil || n > 36500 {
		return 0, errors.New(durationForm)
	}
	var d time.Duration
	if rest != "" || !found {
		if d, err = time.ParseDuration(rest); err != nil {
			return 0, errors.New(durationForm)
		}
	}
	if d < 0 || d != 0 && d < time.Millisecond {
		return 0, errors.New("a duration is a millisecond at least")
	}
	const day = 24 * time.Hour
	if d > math.MaxInt64-time.Duration(n)*day {
		return 0, errors.New("a duration is 100 years at most")
	}
	return time.Duration(n)*day + d, nil
}

const sizeForm = `a size has a unit, as in "500kB", "5GB" or "1.5GiB"`

// sizeUnits maps the units of a size to bytes. KB means kB, because many people write it so.
func sizeUnits() (names []string, bytes []float64) {
	return []string{"B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"},
		[]float64{1, 1e3, 1e3, 1e6, 1e9, 1e12, 1 << 10, 1 << 20, 1 << 30, 1 << 40}
}

// parseSize reads a number of bytes with its unit.
func parseSize(text string) (int64, error) {
	cut := strings.LastIndexAny(text, "0123456789.") + 1
	number, unit := text[:cut], strings.TrimPrefix(text[cut:], " ")
	if number == "" || unit == "" || strings.Trim(number, "0123456789.") != "" {
		return 0, errors.New(sizeForm)
	}
	known, bytes := sizeUnits()
	i := slices.Index(known, unit)
	if i < 0 {
		return 0, fmt.Errorf("no size unit %q; %s", unit, cmp.Or(DidYouMean(unit, known), "known are "+list(known)))
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, errors.New(sizeForm)
	}
	if value*bytes[i] < 1 || value*bytes[i] >= math.MaxInt64 {
		return 0, errors.New("a size is one byte at least and 8 EiB at most")
	}
	return int64(value * bytes[i]), nil
}

// checkRate returns an error unless a text is a rate, a size per second.
func checkRate(text string) error {
	size, ok := strings.CutSuffix(text, "/s")
	if _, err := parseSize(size); err != nil || !ok {
		return errors.New(`a rate is bytes a second, as in "600KB/s" or "2MiB/s" (8 Mbit/s are 1MB/s)`)
	}
	return nil
}
