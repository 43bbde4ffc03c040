package past

import (
	"maps"
	"time"
)

// A span is a piece of time, in nanoseconds since 1970.
type span struct{ begin, end int64 }

// spanOf returns the span from begin to end. What a clock that was wrong has dated later than now
// happened now: otherwise everything after it would be too old for the fine series.
func spanOf(begin, end, now time.Time) span {
	s := span{begin.UnixNano(), min(end.UnixNano(), now.UnixNano())}
	if begin.IsZero() || s.begin > s.end {
		s.begin = s.end
	}
	return s
}

// A series is buckets of one width. Each has the sums of one T.
type series[T any] struct {
	width   int64 // in nanoseconds
	keep    int64 // how many buckets
	grows   bool  // whether the width doubles, so that the buckets go back to the beginning
	add     func(into *T, from *T, share float64)
	buckets map[int64]*T // by begin / width
	newest  int64        // the greatest of these numbers
	oldest  int64        // the least
	end     int64        // nothing is later, in nanoseconds since 1970
}

func newSeries[T any](width time.Duration, keep int64, grows bool, add func(*T, *T, float64)) *series[T] {
	return &series[T]{width: int64(width), keep: keep, grows: grows, add: add, buckets: map[int64]*T{}}
}

// put spreads a value over a span.
func (s *series[T]) put(over span, value *T) {
	first, last := over.begin/s.width, over.end/s.width
	if len(s.buckets) == 0 {
		s.newest, s.oldest = last, last
	}
	s.newest, s.oldest, s.end = max(s.newest, last), min(s.oldest, first), max(s.end, over.end+1)
	for s.grows && s.newest-s.oldest >= s.keep {
		s.widen()
	}
	if !s.grows {
		s.trim()
	}
	first, last = max(over.begin/s.width, s.oldest), over.end/s.width
	whole := float64(max(over.end-over.begin, 1))
	for n := first; n <= last; n++ {
		from, to := max(over.begin, n*s.width), min(over.end, (n+1)*s.width)
		if share := float64(to-from) / whole; over.begin == over.end {
			s.to(n, value, 1)
		} else if share > 0 {
			s.to(n, value, share)
		}
	}
}

func (s *series[T]) to(n int64, value *T, share float64) {
	b := s.buckets[n]
	if b == nil {
		b = new(T)
		s.buckets[n] = b
	}
	s.add(b, value, share)
}

// trim removes the buckets that are too old. It looks for them only if there are a quarter too
// many.
func (s *series[T]) trim() {
	s.oldest = max(s.oldest, s.newest-s.keep+1)
	if int64(len(s.buckets)) > s.keep+s.keep/4 {
		maps.DeleteFunc(s.buckets, func(n int64, _ *T) bool { return n < s.oldest })
	}
}

// widen makes one bucket of each two.
func (s *series[T]) widen() {
	s.width *= 2
	s.newest, s.oldest = s.newest/2, s.oldest/2
	old := s.buckets
	s.buckets = map[int64]*T{}
	for n, b := range old {
		s.to(n/2, b, 1)
	}
}

// cut returns the sums of n equal pieces of the time from begin to end. A bucket that lies in
// several pieces is divided among them.
func (s *series[T]) cut(begin, end int64, n int) []T {
	out := make([]T, n)
	for i := range out {
		from, to := piece(begin, end, i, n), piece(begin, end, i+1, n)
		for k := max(from/s.width, s.oldest); k <= s.newest && k*s.width < to; k++ {
			if b := s.buckets[k]; b != nil {
				first, last := k*s.width, min((k+1)*s.width, s.end)
				if inside := min(to, last) - max(from, first); inside > 0 {
					s.add(&out[i], b, float64(inside)/float64(last-first))
				}
			}
		}
	}
	return out
}

// piece returns the begin of one of n equal pieces of a time.
func piece(begin, end int64, i, n int) int64 {
	whole, each := end-begin, int64(n)
	return begin + whole/each*int64(i) + whole%each*int64(i)/each // years times n are too many nanoseconds
}

// A history is the series of one stage or queue, from fine to coarse.
type history[T any] []*series[T]

func newHistory[T any](add func(*T, *T, float64)) history[T] {
	return history[T]{
		newSeries(time.Second, 15*60, false, add),
		newSeries(10*time.Second, 2*360, false, add),
		newSeries(5*time.Minute, 24*12, false, add),
		newSeries(time.Second, 1024, true, add),
	}
}

func (h history[T]) put(over span, value *T) {
	for _, s := range h {
		s.put(over, value)
	}
}

// cut returns the sums of n equal pieces of the time between two, by the finest series that goes
// back to the first. The end of the newest run of all is newest. A history that is nil has sums of
// zero.
func (h history[T]) cut(from, to time.Time, newest int64, n int) []T {
	for _, s := range h {
		if s.grows || from.UnixNano() >= newest-s.keep*s.width {
			return s.cut(from.UnixNano(), to.UnixNano(), n)
		}
	}
	return make([]T, n)
}
