package bandwidth

import (
	"math"
	"time"
)

// The days that have rates of their own.
const (
	working = iota
	holiday
	days
)

const hoursOfDay = 24

// A moment is an hour of a working day or a holiday.
type moment struct {
	day  int
	hour float64
}

// momentOf is now by its own clock.
func momentOf(now time.Time) moment {
	m := moment{working, float64(now.Hour()) + float64(now.Minute())/60}
	if day := now.Weekday(); day == time.Saturday || day == time.Sunday {
		m.day = holiday
	}
	return m
}

// gauss is how much a measure at m says of the given hour, from 1 for its middle down to 0: by
// their distance around the clock.
func (m moment) gauss(hour int) float64 {
	distance := math.Abs(m.hour - (float64(hour) + 0.5))
	distance = min(distance, hoursOfDay-distance) / sigma.Hours()
	return math.Exp(-distance * distance / 2)
}
