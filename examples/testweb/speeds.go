package main

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// speeds is how fast hosts send, in bytes a second; the zero value is as fast as can be.
type speeds struct{ min, max float64 }

// set reads MIN-MAX.
func (s *speeds) set(text string) error {
	low, high, _ := strings.Cut(text, "-")
	var err1, err2 error
	s.min, err1 = strconv.ParseFloat(low, 64)
	s.max, err2 = strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || s.min < 1 || s.max < s.min || math.IsInf(s.max, 1) {
		return errors.New("want MIN-MAX in bytes a second, as 20000-2000000")
	}
	return nil
}

// of is the speed of a host, drawn evenly on a logarithmic scale.
func (s speeds) of(seed uint64, host int) float64 {
	if s.max == 0 {
		return 0
	}
	drawn := rand.New(rand.NewPCG(seed, ^uint64(host))).Float64()
	return s.min * math.Pow(s.max/s.min, drawn)
}

// pacer lets a body through at a speed.
type pacer struct {
	speed float64 // 0 is no bound
	start time.Time
	sent  int
}

// piece is how much of what is left goes next: without a speed all but the last piece,
// else so much as takes 20 ms.
func (p *pacer) piece(left int) int {
	switch {
	case p.speed > 0:
		return min(left, lastPiece, max(1, int(p.speed/50)))
	case left > lastPiece:
		return left - lastPiece
	}
	return left
}

// wait waits until n more bytes may go, or the client has gone.
func (p *pacer) wait(ctx context.Context, n int) {
	p.sent += n
	if p.speed == 0 {
		return
	}
	due := p.start.Add(time.Duration(float64(p.sent) / p.speed * float64(time.Second)))
	sleep(ctx, time.Until(due))
}

// sleep waits for d, or until ctx has ended.
func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
