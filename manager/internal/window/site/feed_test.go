package site

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"multitext/manager/internal/window/page"
)

// TestFeed: a page is made once for all who look at it, each second, and not when nobody looks.
func TestFeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var made atomic.Int64
		fs := newFeeds(newThrottle(func() spent { return spent{} }), func(at string) *page.Page {
			made.Add(1)
			return &page.Page{At: at}
		})
		first, second := fs.join("/c/a/"), fs.join("/c/a/")
		for _, v := range []*viewer{first, second} {
			if p, ok := v.next(t.Context()); !ok || p.At != "/c/a/" || made.Load() != 1 {
				t.Fatalf("the page is %v, made %d times", p, made.Load())
			}
		}
		begin := time.Now()
		if _, ok := first.next(t.Context()); !ok || made.Load() != 2 || time.Since(begin) != leastPause {
			t.Errorf("made %d times, again after %s", made.Load(), time.Since(begin))
		}
		first.leave()
		if _, ok := second.next(t.Context()); !ok || made.Load() != 2 {
			t.Errorf("made %d times", made.Load())
		}
		if _, ok := second.next(t.Context()); !ok || made.Load() != 3 {
			t.Errorf("made %d times after one of two has left", made.Load())
		}
		second.leave()
		time.Sleep(time.Hour)
		if made.Load() != 3 || len(fs.all) != 0 {
			t.Errorf("made %d times though nobody looks; %d feeds", made.Load(), len(fs.all))
		}
		ended, end := context.WithCancel(t.Context())
		end()
		third := fs.join("/c/b/")
		third.next(t.Context())
		if p, ok := third.next(ended); ok {
			t.Errorf("a viewer that has gone gets %v", p)
		}
		third.leave()
	})
}

// TestPace: all refreshes together take no more than their share of a processor.
func TestPace(t *testing.T) {
	share := func(took time.Duration) time.Duration { return time.Duration(float64(took) / costs) }
	synctest.Test(t, func(t *testing.T) {
		var used time.Duration
		p := newThrottle(func() spent { return spent{used, used} })
		begin := time.Now()
		for _, took := range []time.Duration{20 * time.Millisecond, time.Second, 0} {
			if !p.do(t.Context(), func() { used += took }) {
				t.Fatal("no refresh")
			}
		}
		if got, want := time.Since(begin), share(20*time.Millisecond)+share(time.Second); got != want {
			t.Errorf("refreshes that take 1.02 s of a processor take %s, want %s", got, want)
		}
		p.charge(func() { used += time.Millisecond })
		p.charge(func() { used += time.Millisecond })
		begin = time.Now()
		if p.do(t.Context(), func() {}); time.Since(begin) != 2*share(time.Millisecond) {
			t.Errorf("two pictures of 1 ms delay a refresh by %s", time.Since(begin))
		}
		p.do(t.Context(), func() { used += time.Second })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if p.do(ctx, func() { t.Error("a refresh for nobody") }) {
			t.Error("a refresh after the context ended")
		}
		time.Sleep(time.Hour)
		if p.do(ctx, func() { t.Error("a refresh for nobody") }) {
			t.Error("a refresh at once after the context ended")
		}
	})
}

// TestSpent: a refresh counts with its garbage, but neither as long as it waits nor for what others
// do then.
func TestSpent(t *testing.T) {
	for _, c := range []struct{ thread, program, want time.Duration }{
		{10, 15, 15}, {10, 10, 10}, {10, 1000, 30}, {0, 1000, 0},
	} {
		earlier := spent{7, 700}
		if got := (spent{7 + c.thread, 700 + c.program}).since(earlier); got != c.want {
			t.Errorf("%d of the thread and %d of the program count as %d, want %d", c.thread, c.program, got, c.want)
		}
	}
	before := processorTime()
	for begin := time.Now(); time.Since(begin) < 20*time.Millisecond; {
	}
	if after := processorTime(); after.program <= before.program {
		t.Errorf("the program used nothing from %v to %v", before, after)
	}
}
