package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// server answers for a site, counts, and makes its faults.
type server struct {
	site      site
	addresses []string // host i answers on the i-th, modulo their number
	faults    faults
	speeds    speeds
	seed      uint64        // of the speeds
	longest   time.Duration // an answer of a host that misbehaves
	ledger    *ledger
	buffers   sync.Pool // of *[]byte, for bodies
}

func newServer(s site, o *options, l *ledger) *server {
	return &server{
		site: s, faults: o.faults, speeds: o.speeds, seed: o.shape.seed, longest: time.Minute, ledger: l,
		buffers: sync.Pool{New: func() any { return new([]byte) }},
	}
}

// serve runs the web until ctx ends.
func serve(ctx context.Context, o *options, stdout io.Writer) error {
	var site site = newSynthetic(o.shape)
	if o.topical.file != "" {
		w, err := openTopical(o)
		if err != nil {
			return err
		}
		for _, host := range w.deadHosts() {
			o.faults.dead[host] = true
		}
		site = w
	}
	if o.root != "" {
		f, err := openFolder(o.root)
		if err != nil {
			return err
		}
		defer f.root.Close()
		site = f
	}
	l, err := loadLedger(o.statsFile)
	if err != nil {
		return err
	}
	lns, err := listen(o.listen)
	if err != nil {
		return fmt.Errorf("open the web: %w", err)
	}
	endSaving, err := l.keepSaved(o.statsFile)
	if err != nil {
		closeAll(lns)
		return err
	}
	srv := newServer(site, o, l)
	err = srv.serveOn(ctx, lns, func() { fmt.Fprintln(stdout, strings.Join(srv.addresses, " ")) })
	return errors.Join(err, endSaving())
}

// listen opens all of the addresses or none.
func listen(addresses []string) (lns []net.Listener, err error) {
	for _, address := range addresses {
		ln, err := net.Listen("tcp", address)
		if err != nil {
			closeAll(lns)
			return nil, err
		}
		lns = append(lns, ln)
	}
	return lns, nil
}

func closeAll(lns []net.Listener) {
	for _, ln := range lns {
		ln.Close()
	}
}

// connKey finds the connection of a request in its context.
type connKey struct{}

// serveOn answers on lns until ctx ends, and says when it is ready; at the end it gives
// what is under way a second.
func (s *server) serveOn(ctx context.Context, lns []net.Listener, ready func()) error {
	for _, ln := range lns {
		s.addresses = append(s.addresses, ln.Addr().String())
	}
	ready()
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				s.ledger.closed(c)
			}
		},
	}
	failed := make(chan error, len(lns))
	for _, ln := range lns {
		go func() { failed <- hs.Serve(ln) }()
	}
	select {
	case <-ctx.Done():
	case err := <-failed:
		hs.Close()
		return fmt.Errorf("serve on %s: %w", strings.Join(s.addresses, " "), err)
	}
	soon, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if hs.Shutdown(soon) != nil {
		hs.Close()
	}
	return nil
}
