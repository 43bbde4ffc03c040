package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/urlbatch"
)

// errExpired says that a pin is no longer valid.
var errExpired = errors.New("the pinned addresses have expired")

// errBadAddr says that addr= is none.
var errBadAddr = errors.New("addr= is no list of addresses")

// addresses are where rec is asked for: the first that is pinned to it, so that it is asked in the
// turn of that one; without a pin those of its name, which is looked up.
func (r *round) addresses(ctx context.Context, rec *urlbatch.Record) ([]netip.AddrPort, error) {
	pin, ok := rec.Get(urlbatch.Addr)
	if !ok {
		return r.finder.Find(ctx, rec.URL())
	}
	if expired(rec, time.Now()) {
		return nil, errExpired
	}
	first, _, _ := strings.Cut(pin, ",")
	addr, err := netip.ParseAddrPort(first)
	if err != nil {
		return nil, fmt.Errorf("%w: %.100q", errBadAddr, pin)
	}
	return []netip.AddrPort{addr}, nil
}

// expired tells whether rec's pin is no longer valid.
func expired(rec *urlbatch.Record, now time.Time) bool {
	until := rec.Int(urlbatch.Until)
	return until > 0 && now.Unix() >= until
}

// serverOf names the server that a request of rec goes to.
func serverOf(rec *urlbatch.Record) string {
	pin, _ := rec.Get(urlbatch.Addr)
	return canon.Scheme(rec.URL()) + "://" + canon.Host(rec.URL()) + " " + pin
}

// sameServer tells whether a connection that was opened for a can serve b.
func sameServer(a, b *urlbatch.Record) bool { return serverOf(a) == serverOf(b) }

// addressOf is the server's address, by which its hosts share their turns: the first that is
// pinned to rec; zero if none is.
func addressOf(rec *urlbatch.Record) netip.Addr {
	pin, _ := rec.Get(urlbatch.Addr)
	first, _, _ := strings.Cut(pin, ",")
	at, _ := netip.ParseAddrPort(first)
	return at.Addr().Unmap()
}

// dropAddress takes the first address from rec's pin, if there is another behind it.
func dropAddress(rec *urlbatch.Record) bool {
	pin, _ := rec.Get(urlbatch.Addr)
	_, others, more := strings.Cut(pin, ",")
	if more {
		rec.Set(urlbatch.Addr, others)
	}
	return more
}

// delayOf is the crawl-delay of rec's host, 0 if it has none.
func delayOf(rec *urlbatch.Record) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(max(rec.Int(urlbatch.Delay), 0), most)) * time.Millisecond
}

// hostOf is whose turn rec takes.
func hostOf(rec *urlbatch.Record) string { return canon.Hostname(rec.URL()) }
