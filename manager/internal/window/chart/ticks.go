package chart

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"gonum.org/v1/plot"

	"multitext/manager/internal/figure"
)

// A Unit is what the values of a picture are, and how they are written.
type Unit int

// The units.
const (
	Count Unit = iota
	CountPerSecond
	Bytes // with SI prefixes, as figure.Bytes has them
	BytesPerSecond
	Seconds
)

// Format writes a value: "1.5k/s", "13 MB", "2m05s".
func (u Unit) Format(v float64) string {
	switch u {
	case CountPerSecond:
		return prefixed(v, "") + "/s"
	case Bytes:
		return prefixed(v, " ") + "B"
	case BytesPerSecond:
		return prefixed(v, " ") + "B/s"
	case Seconds:
		switch {
		case v == 0:
			return "0"
		case math.Abs(v) < 1:
			return strconv.FormatFloat(v*1000, 'g', 3, 64) + "ms"
		case math.Abs(v) < 60:
			return strconv.FormatFloat(v, 'g', 3, 64) + "s"
		}
		return figure.Span(time.Duration(v * float64(time.Second)))
	}
	return prefixed(v, "")
}

// prefixed writes a value with three digits and an SI prefix, and what parts both.
func prefixed(v float64, part string) string {
	prefix := ""
	for _, p := range []string{"k", "M", "G", "T", "P"} {
		if math.Abs(v) < 999.5 {
			break
		}
		v, prefix = v/1000, p
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + part + prefix
}

// Ticks places marks as gonum does and writes them in the unit.
func (u Unit) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = u.Format(ticks[i].Value)
		}
	}
	return ticks
}

// logTicks marks powers of ten.
type logTicks struct{ Unit }

func (u logTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	for at := math.Floor(math.Log10(low)); at <= math.Ceil(math.Log10(high)); at++ {
		ticks = append(ticks, plot.Tick{Value: math.Pow(10, at), Label: u.Format(math.Pow(10, at))})
	}
	return ticks
}

// steps are the distances of marks on a time axis.
var steps = []time.Duration{time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond,
	500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, 2 * day, 5 * day, 10 * day, 30 * day, 100 * day, 365 * day,
	3650 * day}

const (
	day       = 24 * time.Hour
	mostTicks = 8 // on a time axis
)

// timeAxis makes the lower axis one of time.
func timeAxis(p *plot.Plot, from, to time.Time) {
	at := intervals(from, to, 1)
	p.X.Min, p.X.Max = at(0), at(1)
	if p.X.Max <= p.X.Min {
		p.X.Max = p.X.Min + 1
	}
	p.X.Tick.Marker = plot.ConstantTicks(timeTicks(from, to))
	p.X.Label.Text = interval(from, to)
}

// timeTicks marks round times of the day, in the time zone of from.
func timeTicks(from, to time.Time) (ticks []plot.Tick) {
	step := steps[len(steps)-1]
	for _, s := range steps {
		if to.Sub(from)/s <= mostTicks {
			step = s
			break
		}
	}
	layout := "15:04"
	switch {
	case step < time.Second:
		layout = "15:04:05.000"
	case step < time.Minute:
		layout = "15:04:05"
	case step >= day:
		layout = time.DateOnly
	}
	year, month, date := from.Date()
	midnight := time.Date(year, month, date, 0, 0, 0, 0, from.Location())
	first := midnight.Add((from.Sub(midnight) + step - 1) / step * step)
	for at := first; !at.After(to) && len(ticks) <= mostTicks+1; at = at.Add(step) {
		label := at.Format(layout)
		if step < day && at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
			label = at.Format("Jan 2")
		}
		ticks = append(ticks, plot.Tick{Value: seconds(at), Label: label})
	}
	return ticks
}

// interval says which time a picture is of.
func interval(from, to time.Time) string {
	to = to.In(from.Location())
	end := to.Format(time.DateTime)
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		end = to.Format(time.TimeOnly)
	}
	return fmt.Sprintf("%s to %s %s", from.Format(time.DateTime), end, to.Format("MST"))
}

// intervals places the i-th of n equal intervals between two times.
func intervals(from, to time.Time, n int) func(i float64) float64 {
	start, width := seconds(from), to.Sub(from).Seconds()/float64(max(n, 1))
	return func(i float64) float64 { return start + i*width }
}

// seconds is a time as a value of an axis.
func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
