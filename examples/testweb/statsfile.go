package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

// loadLedger takes up the counts in file; there are none yet when the file does not exist,
// and none are kept when its name is empty.
func loadLedger(file string) (*ledger, error) {
	l := newLedger()
	if file == "" {
		return l, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take up the counts: %w", err)
	}
	var s stats
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("take up the counts in %s: %w; remove it to begin anew", file, err)
	}
	l.takeUp(s)
	return l, nil
}

// takeUp is the inverse of stats.
func (l *ledger) takeUp(s stats) {
	l.started, l.violations = s.Started, s.Violations
	for _, h := range s.Hosts {
		l.host(h.Host).takeUp(h.meterStats)
	}
	for _, a := range s.Addresses {
		l.address(a.Address).takeUp(a.meterStats)
	}
	for url, u := range s.URLs {
		name, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		l.host(name).urls["/"+path] = &urlCount{u.Kind, u.Count}
	}
}

func (m *meter) takeUp(s meterStats) {
	m.mostConns = [2]int{all: s.ConnectionsWithRobots, pages: s.Connections}
	m.mostOpen = [2]int{all: s.RequestsWithRobots, pages: s.Requests}
	m.gap, m.robotsGap, m.pace = gapOf(s.Gap), gapOf(s.RobotsGap), gapOf(s.Pace)
	m.answers, m.busy = s.Answers, time.Duration(math.Round(s.Busy*float64(time.Second)))
	m.lastStart, m.lastEnd[pages], m.lastRobot = s.LastStart, s.LastPage, s.LastRobots
	m.lastEnd[all] = s.LastPage
	if s.LastRobots.After(s.LastPage) {
		m.lastEnd[all] = s.LastRobots
	}
}

func gapOf(seconds *float64) gap {
	if seconds == nil {
		return gap{}
	}
	return gap{time.Duration(math.Round(*seconds * float64(time.Second))), true}
}

// keepSaved writes the counts to file at once, so that a file that can not be
// written is an error of the start, then each second in which they changed. The function it
// returns ends that and writes them a last time.
func (l *ledger) keepSaved(file string) (end func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	saved := l.version()
	if err := l.save(file); err != nil {
		return nil, err
	}
	ending, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ending:
				return
			case <-tick.C:
			}
			// A failure here is tried again; one that stays is told at the end.
			if now := l.version(); now != saved && l.save(file) == nil {
				saved = now
			}
		}
	}()
	return func() error {
		close(ending)
		<-done
		return l.save(file)
	}, nil
}

// version tells one state of the counts from another.
func (l *ledger) version() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changes
}

func (l *ledger) save(file string) error {
	var text bytes.Buffer
	if err := l.stats().write(&text); err != nil {
		return fmt.Errorf("write the counts: %w", err)
	}
	if err := renameio.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the counts: %w", err)
	}
	return nil
}
