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

// errBadAddr says that addr= is not a list of addresses.
var errBadAddr = errors.New("addr= is not a list of addresses")

// A target is a URL of the batch with the data about its server from its record. The data is parsed
// once, because the schedule uses it often.
type target struct {
	rec    *urlbatch.Record
	url    string
	origin string         // scheme, host and port, as in url
	host   string         // host whose delays apply
	pinned bool           // the record has addr=
	pin    string         // the value of addr=
	first  netip.AddrPort // first address of the pin, to which the request goes; zero without a valid pin
	until  int64          // unix seconds at which the pin expires; 0: never
}

// newTarget returns a target for rec. The target keeps rec.
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

// address returns the address of the server, or zero if it is not known. Hosts with the same
// address share its delays.
func (v *target) address() netip.Addr { return v.first.Addr().Unmap() }

// expired reports whether the pin is no longer valid.
func (v *target) expired(now time.Time) bool { return v.until > 0 && now.Unix() >= v.until }

// sameServer reports whether a connection that was opened for a can serve b.
func sameServer(a, b *target) bool { return a.origin == b.origin && a.pin == b.pin }

// dropAddress removes the first address from the pin, if there is another one after it.
func (v *target) dropAddress() bool {
	_, others, more := strings.Cut(v.pin, ",")
	if more {
		v.rec.Set(urlbatch.Addr, others)
		v.readPin()
	}
	return more
}

// addresses returns the addresses for a request of v. This is the first pinned address, because the
// schedule applied the delays of that address. Without a pin, addresses looks up the name.
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

// delayOf returns the crawl-delay of rec's host, or 0 if it has none.
func delayOf(rec *urlbatch.Record) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(max(rec.Int(urlbatch.Delay), 0), most)) * time.Millisecond
}
