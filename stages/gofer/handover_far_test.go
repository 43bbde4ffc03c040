package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
)

var farHandovers = flag.Int("far-handovers", 1, "interrupted hand-overs over sftp and over S3, by each kind of fault")

// A harm is done to what lies between two machines, again and again, while a crawl runs.
type harm struct {
	do      func()
	most    time.Duration // between the first two
	broken  func() int    // connections since the beginning
	claimed int
}

// meanwhile does harm until ctx ends, less and less often: gofer rests twice as long after each
// time that it reached nobody, and a machine that is slow must once have the time to get through.
func (h *harm) meanwhile(ctx context.Context) {
	for most := h.most; ; most += most / 5 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rand.N(most)):
			h.do()
		}
	}
}

// claim is how many connections were broken since the last call.
func (h *harm) claim() int {
	before := h.claimed
	h.claimed = h.broken()
	return h.claimed - before
}

// lost is the fault of a line or a server that is lost in the midst, in two runs of the crawl.
func (h *harm) lost(c *chain) (fired int, err error) {
	rough := *c.line
	rough.meanwhile = h.meanwhile
	defer func(l *line) { c.line = l }(c.line)
	c.line = &rough
	for range 2 {
		if _, err = c.crawl(); err != nil {
			break
		}
	}
	return h.claim(), err
}

// interruptSome makes chains, one behind the other, until n hand-overs were interrupted.
func (l *line) interruptSome(t *testing.T, n int, f fault) {
	t.Helper()
	fired, seed := 0, 0
	for ; fired < n && seed < 2*n+10; seed++ {
		k, err := l.interrupt(t, uint64(seed), f)
		if err != nil {
			t.Fatalf("chain %d: %v", seed, err)
		}
		fired += k
	}
	t.Logf("%d interrupted hand-overs in %d chains", fired, seed)
	if fired < n {
		t.Errorf("only %d of %d hand-overs were interrupted", fired, n)
	}
}

// behindSSHD is the transport of folders on another machine, over a line that may be cut.
func behindSSHD(t *testing.T) (transport, *harm) {
	d := servertest.StartSSHD(t)
	wire := servertest.NewWire(t, d.Address())
	over := folders()
	over.url = d.URLAt(wire.Address, "DIR/$FROM/outgoing/$TO")
	over.args = "-timeout 5s -identity " + d.Identity + " -known-hosts " + d.Known(t, "wired", wire.Address)
	killed := 0
	do := func() {
		switch rand.IntN(3) {
		case 0:
			killed += min(1, d.KillSessions())
		case 1:
			wire.Cut()
		case 2:
			wire.CutAfter(rand.Int64N(30_000))
		}
	}
	return over, &harm{do: do, most: 400 * time.Millisecond, broken: func() int { return killed + wire.Cuts() }}
}

// inBucket is the transport of a bucket whose service may be killed.
func inBucket(t *testing.T) (transport, *harm) {
	servertest.SetKeys(t)
	v := servertest.StartVersity(t)
	wire := servertest.NewWire(t, v.Address())
	open := func(dir, peer string) (*store.Bucket, error) {
		place := servertest.S3URL(v.Address(), strings.TrimPrefix(dir, "/")+"/to/world/from/"+peer)
		return store.OpenBucket(context.Background(), place, store.Options{Timeout: 10 * time.Second})
	}
	over := transport{
		url:  servertest.S3URL(wire.Address, "DIR/to/$TO/from/$FROM"),
		args: "-timeout 5s",
		put: func(dir, peer, name string, content []byte) error {
			return insist(func() error {
				s, err := open(dir, peer)
				if err != nil {
					return err
				}
				defer s.Close()
				err = s.Put(context.Background(), name, bytes.NewReader(content), int64(len(content)))
				if errors.Is(err, fs.ErrExist) { // the answer to an earlier try was lost
					return nil
				}
				return err
			})
		},
		held: func(dir, peer string) (names []string, err error) {
			err = insist(func() error {
				s, err := open(dir, peer)
				if err != nil {
					return err
				}
				defer s.Close()
				names = nil
				for e, err := range s.List(context.Background()) {
					if err != nil {
						return err
					}
					names = append(names, e.Name)
				}
				return nil
			})
			return names, err
		},
	}
	killed := 0
	do := func() {
		if rand.IntN(2) == 0 {
			wire.CutAfter(rand.Int64N(10_000))
			return
		}
		killed += wire.Open()
		if err := v.Restart(); err != nil {
			t.Error(err)
		}
	}
	return over, &harm{do: do, most: 40 * time.Millisecond, broken: func() int { return killed + wire.Cuts() }}
}

// insist does what a killed service kept from being done once more.
func insist(do func() error) (err error) {
	for range 50 {
		if err = do(); !errors.Is(err, store.ErrUnreachable) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("fifty times: %w", err)
}

// Hand-overs between machines take effect once as well: gofer is killed at any step, and the line
// or the other side is lost in their midst.
func TestHandoversFar(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (transport, *harm){"sftp": behindSSHD, "s3": inBucket} {
		t.Run(name, func(t *testing.T) {
			over, harm := start(t)
			l := newLine(t, over)
			t.Run("gofer killed", func(t *testing.T) { l.interruptSome(t, *farHandovers, goferKilled) })
			t.Run("link lost", func(t *testing.T) { l.interruptSome(t, *farHandovers, harm.lost) })
		})
	}
}
