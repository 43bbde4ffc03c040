package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// errExpired says that a pin is no longer valid.
var errExpired = errors.New("the pinned addresses have expired")

// errBadAddr says that addr= is none.
var errBadAddr = errors.New("addr= is no list of addresses")

// A target is a URL of the batch, with what its line says about the server read once: the schedule
// asks for it often.
type target struct {
	rec    *urlbatch.Record
	url    string
	origin string         // scheme, host and port, as they stand in url
	host   string         // whose turn it takes
	pinned bool           // it has an addr=
	pin    string         // that
	first  netip.AddrPort // of the pin, which it is asked for at; zero if there is none, or none that can be read
	until  int64          // unix seconds at which the pin expires; 0: never
}

// newTarget reads rec, which becomes the target's.
func newTarget(rec *urlbatch.Record) *target {
	v := &target{rec: rec, url: rec.URL(), until: rec.Int(urlbatch.Until)}
	v.origin = v.url[:len(v.url)-len(canon.Path(v.url))]
	v.host = canon.Hostname(v.url)
	v.readPin()
	return v
}

func (v *target) readPin() {
	v.pin, v.pinned = v.rec.Get(urlbatch.Addr)
	first, _, _ := strings.Cut(v.pin, ",")
	v.first, _ = netip.ParseAddrPort(first)
}

// address is the server's, by which its hosts share their turns; zero if none is known.
func (v *target) address() netip.Addr { return v.first.Addr().Unmap() }

// expired tells whether the pin is no longer valid.
func (v *target) expired(now time.Time) bool { return v.until > 0 && now.Unix() >= v.until }

// sameServer tells whether a connection that was opened for a can serve b.
func sameServer(a, b *target) bool { return a.origin == b.origin && a.pin == b.pin }

// dropAddress takes the first address from the pin, if there is another behind it.
func (v *target) dropAddress() bool {
	_, others, more := strings.Cut(v.pin, ",")
	if more {
		v.rec.Set(urlbatch.Addr, others)
		v.readPin()
	}
	return more
}

// addresses are where v is asked for: the first that is pinned to it, so that it is asked in the
// turn of that one; without a pin those of its name, which is looked up.
func (l *lane) addresses(ctx context.Context, v *target) ([]netip.AddrPort, error) {
	switch {
	case !v.pinned:
		return l.o.dialer.Find(ctx, v.url)
	case v.expired(time.Now()):
		return nil, errExpired
	case !v.first.IsValid():
		return nil, fmt.Errorf("%w: %.100q", errBadAddr, v.pin)
	}
	l.address[0] = v.first
	return l.address[:], nil
}

// delayOf is the crawl-delay of rec's host, 0 if it has none.
func delayOf(rec *urlbatch.Record) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(max(rec.Int(urlbatch.Delay), 0), most)) * time.Millisecond
}
