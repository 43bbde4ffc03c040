package script

import (
	"testing"
	"time"
)

// at returns a time of the week that begins on Monday, 5 January 2026.
func at(day int, clock string) time.Time {
	t, err := time.Parse("15:04:05", clock)
	if err != nil {
		panic(err)
	}
	return time.Date(2026, 1, 4+day, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

func TestWindow(t *testing.T) {
	const mon, wed, fri, sat, sun = 1, 3, 5, 6, 7
	tests := []struct {
		window string
		t      time.Time
		ends   time.Time // zero: not inside
	}{
		{"mon-fri 08:00-18:00", at(mon, "07:59:59"), time.Time{}},
		{"mon-fri 08:00-18:00", at(mon, "08:00:00"), at(mon, "18:00:00")},
		{"mon-fri 08:00-18:00", at(wed, "17:59:59"), at(wed, "18:00:00")},
		{"mon-fri 08:00-18:00", at(wed, "18:00:00"), time.Time{}},
		{"mon-fri 08:00-18:00", at(sat, "09:00:00"), time.Time{}},
		{"22:00-06:00", at(wed, "23:30:00"), at(wed+1, "06:00:00")},
		{"22:00-06:00", at(wed, "05:59:00"), at(wed, "06:00:00")},
		{"22:00-06:00", at(wed, "06:00:00"), time.Time{}},
		{"fri 22:00-06:00", at(sat, "05:00:00"), at(sat, "06:00:00")},
		{"fri 22:00-06:00", at(fri, "05:00:00"), time.Time{}},
		{"sun 22:00-06:00", at(mon, "01:00:00"), at(mon, "06:00:00")},
		{"sat,sun", at(sat, "00:00:00"), at(sun+1, "00:00:00")},
		{"sat,sun", at(fri, "23:59:59"), time.Time{}},
		{"sat-mon", at(sun, "12:00:00"), at(mon+8-1, "00:00:00").AddDate(0, 0, 1)},
		{"20:00-24:00", at(wed, "23:59:59"), at(wed+1, "00:00:00")},
		{"wed 22:00-00:00", at(wed, "23:00:00"), at(wed+1, "00:00:00")},
	}
	for _, test := range tests {
		w, err := parseWindow(test.window)
		if err != nil {
			t.Errorf("%q: %v", test.window, err)
			continue
		}
		inside := !test.ends.IsZero()
		if !inside {
			test.ends = test.t
		}
		if w.Contains(test.t) != inside || !w.Ends(test.t).Equal(test.ends) {
			t.Errorf("%q at %v: %v until %v; want %v until %v", w, test.t, w.Contains(test.t), w.Ends(test.t), inside,
				test.ends)
		}
	}
}

// In Toronto 02:00 to 03:00 does not exist on 8 March 2026, and 01:00 to 02:00
// exists twice on 1 November.
func TestWindowWhenClocksChange(t *testing.T) {
	zone, err := time.LoadLocation("America/Toronto")
	if err != nil {
		t.Skipf("no time zones on this machine: %v", err)
	}
	utc := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC).In(zone)
	}
	tests := []struct {
		window  string
		t, ends time.Time
	}{
		{"01:30-02:30", utc(3, 8, 6, 45), utc(3, 8, 7, 0)},    // ends where 02:00 is skipped
		{"22:00-06:00", utc(3, 8, 4, 0), utc(3, 8, 10, 0)},    // seven hours long
		{"22:00-06:00", utc(11, 1, 3, 0), utc(11, 1, 11, 0)},  // nine hours long
		{"01:00-01:30", utc(11, 1, 5, 10), utc(11, 1, 5, 30)}, // the first time
		{"01:00-01:30", utc(11, 1, 6, 10), utc(11, 1, 6, 30)}, // and the second
		{"01:00-02:00", utc(11, 1, 5, 10), utc(11, 1, 7, 0)},  // both in one
		{"02:10-02:50", utc(3, 8, 7, 10), utc(3, 8, 7, 10)},   // never, that day
		{"sun", utc(11, 1, 12, 0), utc(11, 2, 5, 0)},          // a day of 25 hours
	}
	for _, test := range tests {
		w, err := parseWindow(test.window)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Ends(test.t); !got.Equal(test.ends) {
			t.Errorf("%q at %v ends %v; want %v", w, test.t, got, test.ends.In(zone))
		}
	}
}

// A window of the whole week ends nowhere; Ends must still return.
func TestWholeWeekReturns(t *testing.T) {
	w, err := parseWindow("mon-sun")
	if err != nil {
		t.Fatal(err)
	}
	if start := at(1, "00:00:00"); w.Ends(start).Sub(start) != 8*24*time.Hour {
		t.Errorf("ends %v", w.Ends(start))
	}
	if !wholeWeek([]Window{w}) || wholeWeek(nil) {
		t.Error("wholeWeek is wrong")
	}
}
