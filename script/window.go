package script

import "time"

// A Window is a stretch of the week in local wall-clock time.
type Window struct {
	days   [7]bool // by time.Weekday, of the day it begins
	from   int     // minutes since midnight
	to     int     // minutes since midnight; at or below from: over midnight
	source string
}

// Contains reports whether t, in its own location, lies in the window.
func (w Window) Contains(t time.Time) bool { return false }

// Ends returns the first instant after t outside the window, t itself when it
// is outside already.
func (w Window) Ends(t time.Time) time.Time { return t }

// String returns the window as written in the script.
func (w Window) String() string { return w.source }
