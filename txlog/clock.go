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

// A clock reads times. Those of a minute that it has just read one of, as most in a
// log are, cost it next to nothing.
type clock struct {
	minute string // "2006-01-02T15:04:"
	begins time.Time
}

// read reads the time at the beginning of a text, if formatTime would write it so, and
// its length, 0 if it would not.
func (c *clock) read(text []byte) (t time.Time, size int) {
	const minute = len("2006-01-02T15:04:")
	if len(text) < len(timeForm) {
		return t, 0
	}
	within, ok := seconds(text[minute:len(timeForm)])
	if !ok {
		return t, 0
	}
	if string(text[:minute]) != c.minute {
		begins, err := time.Parse(timeForm[:minute], string(text[:minute]))
		if err != nil {
			return t, 0
		}
		c.minute, c.begins = string(text[:minute]), begins
	}
	return c.begins.Add(within), len(timeForm)
}

// seconds reads ss.mmmZ.
func seconds(text []byte) (d time.Duration, ok bool) {
	whole, n := digits(text[:2])
	milli, m := digits(text[3:6])
	if n != 2 || m != 3 || text[2] != '.' || text[6] != 'Z' || whole > 59 {
		return 0, false
	}
	return time.Duration(whole)*time.Second + time.Duration(milli)*time.Millisecond, true
}
