package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/traffic/polite"
)

// A far server is one to which every other connection takes longer than a turn lasts.
func farServer(t *testing.T, far time.Duration) (address, ca string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		fmt.Fprint(w, "hello")
	}))
	srv.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		if connections.Add(1)%2 == 0 {
			time.Sleep(far)
		}
		return nil, nil
	}}
	address, ca = startTLS(t, srv)
	return address, ca, connections
}

// TestTurnThatIsMissed holds that no request goes out when its turn is over, as where the
// connection has taken too long: it waits for the next, over that connection. So however busy
// machine and network are, the requests of two crawlers are half a delay apart where they are sent,
// and each gets its turns all the same.
func TestTurnThatIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	const peers, urls, delay = 3, 4, 200 * time.Millisecond
	address, ca, connections := farServer(t, delay*3/4)
	var lines strings.Builder
	for i := range urls {
		fmt.Fprintf(&lines, "https://example.com/%d\taddr=%s\n", i, address)
	}
	inTurns(t, peers, urls, delay, lines.String(), "-ca", ca)
	if connections.Load() != peers*urls {
		t.Errorf("%d connections, want one for each request", connections.Load())
	}
}

// TestTurnThatComesTooLate holds that a request whose next turn is after -for goes to again, loses
// no try, and does not count as one that the host was asked.
func TestTurnThatComesTooLate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	t.Parallel()
	address, ca, connections := farServer(t, 2*time.Second)
	connections.Add(1)
	line := "https://example.com/\taddr=" + address + "\n"
	res := fetch(t, line, "-delay", "400ms", "-peers", "2", "-turn", "1", "-for", "1500ms", "-slowness", "0", "-ca", ca,
		"-new", filepath.Join(t.TempDir(), "new"))
	res.check(t, "https://example.com/", "again", 0, "")
	if !strings.Contains(res.report, "count not-started 1") || strings.Contains(res.report, "\nmade ") ||
		connections.Load() != 2 {
		t.Errorf("after %d connections, report\n%s", connections.Load(), res.report)
	}
}

// TestNoTurnAfterTheEnd holds that no turn is taken after -for, be it open or still to come.
func TestNoTurnAfterTheEnd(t *testing.T) {
	now := time.Now()
	s := polite.New[*target](polite.Limits{Start: now.Add(-time.Hour), Deadline: now.Add(time.Hour),
		Delay: time.Second, Peers: 2})
	for i := range 40 { // a quarter of which have their turn at any time
		s.Add(fmt.Sprintf("h%d.test", i), netip.Addr{}, 0, &target{})
	}
	l := &lane{round: &round{deadline: now}}
	for at := now; ; at = at.Add(100 * time.Millisecond) {
		for r, _ := s.Next(at); r != nil; r, _ = s.Next(at) {
			if waited, err := l.turnOf(r)(t.Context()); waited || !errors.Is(err, errNoTurn) {
				t.Fatalf("a turn after the end: waited %v, %v", waited, err)
			}
		}
		if left, _ := s.Left(); left == 0 {
			return
		}
	}
}

// dates are when the requests of a run's answers were sent.
func (res leavings) dates(t *testing.T) (sent []time.Time) {
	t.Helper()
	eachPage(t, res.pages, func(a *warc.Answer) {
		at, err := a.Date()
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, at)
	})
	return sent
}
