package bandwidth

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// A read is n bytes that came at a time.
type read struct {
	at time.Time
	n  int
}

// readAll plays connections that read pieces as fast as the ceiling lets them, with pauses after
// one read in so many, and returns all reads in order.
func readAll(c *Ceiling, connections, piece, pauses int, span time.Duration, r *rand.Rand) []read {
	free := make([]time.Time, connections) // when each reads next
	for i := range free {
		free[i] = noon().Add(time.Duration(r.Int64N(int64(span / 10))))
	}
	var reads []read
	for {
		i := 0
		for j := range free {
			if free[j].Before(free[i]) {
				i = j
			}
		}
		now := free[i]
		if now.Sub(noon()) > span {
			return reads
		}
		n := 1 + r.IntN(piece)
		if r.IntN(2) == 0 {
			n = piece
		}
		reads = append(reads, read{now, n})
		free[i] = now.Add(c.Reserve(now, n))
		if r.IntN(pauses) == 0 { // the server is slow, or the next page has its turn
			free[i] = free[i].Add(time.Duration(r.Int64N(int64(2 * time.Second))))
		}
	}
}

// most is the most bytes of any second, wherever it begins.
func most(reads []read) int {
	sum, best, first := 0, 0, 0
	for _, r := range reads {
		sum += r.n
		for r.at.Sub(reads[first].at) >= time.Second {
			sum -= reads[first].n
			first++
		}
		best = max(best, sum)
	}
	return best
}

func TestNoSecondIsAboveTheCeiling(t *testing.T) {
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 1))
		connections := 1 + r.IntN(100)
		rate := float64(20_000 + r.IntN(2_000_000))
		for _, pauses := range []int{10, 50, 1e9} {
			c := NewCeiling(rate, connections)
			reads := readAll(c, connections, c.Piece(), pauses, 3*time.Second, r)
			if got := float64(most(reads)); got > rate*(1+Slack) {
				t.Errorf("seed %d: %v bytes in a second, with %d connections at a rate of %v", seed, got, connections,
					rate)
			}
			total := 0
			for _, read := range reads {
				total += read.n
			}
			if pauses == 1e9 && float64(total) < 0.9*3*rate {
				t.Errorf("seed %d: only %d bytes in three seconds, with %d connections at a rate of %v", seed, total,
					connections, rate)
			}
		}
	}
}

// Larger pieces break the promise: what it rests on.
func TestLargePiecesBreakTheCeiling(t *testing.T) {
	c := NewCeiling(500e3, 100)
	reads := readAll(c, 100, largest, 50, 5*time.Second, rand.New(rand.NewPCG(1, 1)))
	if got := float64(most(reads)); got <= 500e3*(1+Slack) {
		t.Errorf("%v bytes in a second: then pieces need no bound", got)
	}
}

func TestReserve(t *testing.T) {
	c, now := NewCeiling(1000, 1), noon()
	for _, step := range []struct {
		after time.Duration
		n     int
		wait  time.Duration
	}{
		{0, 500, 480 * time.Millisecond},
		{0, 500, 980 * time.Millisecond}, // another connection waits behind the first
		{980 * time.Millisecond, 9, 0},   // too short to sleep
		{0, 1, 10 * time.Millisecond},
		{time.Hour, 2000, 1980 * time.Millisecond}, // of what was not used 20 ms are saved
	} {
		now = now.Add(step.after)
		if got := c.Reserve(now, step.n); got != step.wait {
			t.Errorf("Reserve(%d) = %v, want %v", step.n, got, step.wait)
		}
	}
}

func TestPiece(t *testing.T) {
	for _, test := range []struct {
		rate        float64
		connections int
		want        int
	}{{640e3, 64, 200}, {100, 64, 1}, {1e9, 1, largest}} {
		if got := NewCeiling(test.rate, test.connections).Piece(); got != test.want {
			t.Errorf("piece at %v with %d connections is %d, want %d", test.rate, test.connections, got, test.want)
		}
	}
}

func TestPaceEndsWithItsContext(t *testing.T) {
	c := NewCeiling(1, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Pace(ctx, 1e6); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := NewCeiling(1e9, 1).Pace(t.Context(), 1); err != nil {
		t.Error(err)
	}
}
