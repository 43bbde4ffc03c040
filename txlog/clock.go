package txlog

import "time"

// timeForm is how every time stands in the log: UTC, to the millisecond.
const timeForm = "2006-01-02T15:04:05.000Z"

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeForm)
}

// A clock reads times. Those of a day that it has just read one of, as most in a log
// are, cost it next to nothing.
type clock struct {
	day      string // "2006-01-02T"
	midnight time.Time
}

// read reads the time at the beginning of a text, if formatTime would write it so, and
// its length, 0 if it would not.
func (c *clock) read(text []byte) (t time.Time, size int) {
	const day = len("2006-01-02T")
	if len(text) < len(timeForm) {
		return t, 0
	}
	since, ok := sinceMidnight(text[day:len(timeForm)])
	if !ok {
		return t, 0
	}
	if string(text[:day]) != c.day {
		midnight, err := time.Parse(timeForm[:day], string(text[:day]))
		if err != nil {
			return t, 0
		}
		c.day, c.midnight = string(text[:day]), midnight
	}
	return c.midnight.Add(since), len(timeForm)
}

// sinceMidnight reads hh:mm:ss.mmmZ.
func sinceMidnight(text []byte) (since time.Duration, ok bool) {
	const form = "00:00:00.000Z"
	for i := range len(form) {
		if digit := text[i] >= '0' && text[i] <= '9'; digit != (form[i] == '0') || !digit && text[i] != form[i] {
			return 0, false
		}
	}
	two := func(i int) time.Duration { return time.Duration(text[i]-'0')*10 + time.Duration(text[i+1]-'0') }
	hour, minute, second, milli := two(0), two(3), two(6), two(9)*10+time.Duration(text[11]-'0')
	if hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	return hour*time.Hour + minute*time.Minute + second*time.Second + milli*time.Millisecond, true
}
