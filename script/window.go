package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Window is a part of each week: days, hours, or hours on some days. It follows the wall clock.
// When the clock is changed, a skipped hour is not in the window, and a repeated hour is in it
// twice.
type Window struct {
	days   [7]bool // the days on which it begins, by time.Weekday
	from   int     // minutes since midnight
	to     int     // minutes since midnight; if before from, on the next day
	source string
}

// midnight is the end of a day, in minutes since its beginning.
const midnight = 24 * 60

// Contains reports whether the wall clock of t's location is in the window.
func (w Window) Contains(t time.Time) bool {
	minute, day := t.Hour()*60+t.Minute(), t.Weekday()
	if w.from < w.to {
		return w.days[day] && w.from <= minute && minute < w.to
	}
	return w.days[day] && w.from <= minute || w.days[(day+6)%7] && minute < w.to
}

// Ends returns the first instant from t on that is not in the window. It returns t if t is outside.
// It does not combine consecutive windows.
func (w Window) Ends(t time.Time) time.Time {
	const week = 8 * midnight // and a day, because the clock may be changed
	for range week {
		if !w.Contains(t) {
			break
		}
		t = t.Add(time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
	}
	return t
}

// String returns the window as written in the script.
func (w Window) String() string { return w.source }

const windowForm = `an idle window is days, hours or both, as in "sat,sun", "22:00-06:00" or "mon-fri 08:00-18:00"`

// parseWindow reads "DAYS", "HOURS" or "DAYS HOURS".
func parseWindow(text string) (Window, error) {
	w := Window{source: text, to: midnight, days: [7]bool{true, true, true, true, true, true, true}}
	fields := strings.Fields(text)
	if len(fields) == 0 || len(fields) > 2 {
		return w, errors.New(windowForm)
	}
	hours := fields[len(fields)-1]
	if strings.Contains(hours, ":") {
		if err := w.parseHours(hours); err != nil {
			return w, err
		}
		fields = fields[:len(fields)-1]
	}
	if len(fields) > 1 {
		return w, errors.New(windowForm)
	}
	if len(fields) == 1 {
		return w, w.parseDays(fields[0])
	}
	return w, nil
}

// parseHours reads HH:MM-HH:MM.
func (w *Window) parseHours(text string) error {
	from, to, _ := strings.Cut(text, "-")
	var ok, ok2 bool
	w.from, ok = parseClock(from)
	w.to, ok2 = parseClock(to)
	if !ok || !ok2 || w.from == midnight {
		return fmt.Errorf(`hours are written HH:MM-HH:MM, as in "08:00-18:00", not %q`, text)
	}
	if w.from == w.to {
		return fmt.Errorf(`the window %q is empty; the whole day is "00:00-24:00"`, text)
	}
	return nil
}

// parseClock reads HH:MM, up to 24:00, in minutes.
func parseClock(text string) (int, bool) {
	if text == "24:00" {
		return midnight, true
	}
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err == nil && len(text) == len("15:04")
}

// parseDays reads days and ranges of days, joined by commas.
func (w *Window) parseDays(text string) error {
	w.days = [7]bool{}
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, to := weekday(first), weekday(last)
		if from < 0 || to < 0 {
			return fmt.Errorf("no days %q; days are mon tue wed thu fri sat sun, with - and , between them", part)
		}
		for day := from; ; day = (day + 1) % 7 {
			w.days[day] = true
			if day == to {
				break
			}
		}
	}
	return nil
}

// weekday returns the time.Weekday of a name, or -1 if it is not a day.
func weekday(name string) int {
	return slices.Index([]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}, name)
}

// wholeWeek reports whether the windows cover every minute of the week.
func wholeWeek(windows []Window) bool {
	t := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 7 * midnight {
		if !slices.ContainsFunc(windows, func(w Window) bool { return w.Contains(t) }) {
			return false
		}
		t = t.Add(time.Minute)
	}
	return true
}
