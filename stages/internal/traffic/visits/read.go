package visits

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/web/canon"
)

// Bounds of a record.
const (
	numberBits = 53 // of a number: what others, too, read without loss
	maxReason  = 40 // bytes
)

// Of reads a record at now. The error says what is wrong with it, and which record it is.
func Of(rec *urlbatch.Record, now time.Time) (Visit, error) {
	r := &reader{rec: rec}
	v := Visit{
		Host:      r.host(),
		Asked:     r.number(urlbatch.Asked),
		Answered:  r.number(urlbatch.Answered),
		Failed:    r.number(urlbatch.Failed),
		Bytes:     r.number(urlbatch.Bytes),
		Took:      r.duration(urlbatch.Took),
		Pause:     r.duration(urlbatch.Pause),
		NotBefore: r.time(urlbatch.NotBefore, now.Add(Longest)),
		Address:   r.address(),
		Unreached: r.reason(),
		Unready:   r.number(urlbatch.Unready),
	}
	if v.Unready > 0 && v.Asked > 0 {
		r.fail(fmt.Errorf("of a host that was asked %d times, %d URLs are not ready", v.Asked, v.Unready))
	}
	if v.Asked != v.Answered+v.Failed {
		r.fail(fmt.Errorf("asked %d times, with %d answers and %d failures", v.Asked, v.Answered, v.Failed))
	}
	if r.err != nil {
		return Visit{}, fmt.Errorf("visit %.200q: %w", rec.Line(), r.err)
	}
	return v, nil
}

// A reader takes values from a record, and keeps the first error.
type reader struct {
	rec *urlbatch.Record
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

var errNoHost = errors.New("the URL is not http://HOST/")

func (r *reader) host() string {
	url := r.rec.URL()
	host := canon.Hostname(url)
	if host == "" || len(host) > canon.MaxLength || url != "http://"+host+"/" {
		r.fail(errNoHost)
	}
	return host
}

func (r *reader) number(key string) int64 {
	text, ok := r.rec.Get(key)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, numberBits)
	if err != nil {
		r.fail(fmt.Errorf("%s=%.40q is no number from 0 to 2^%d-1", key, text, numberBits))
	}
	return int64(n)
}

// duration is at most Longest.
func (r *reader) duration(key string) time.Duration {
	return time.Duration(min(r.number(key), Longest.Milliseconds())) * time.Millisecond
}

// time is at most last.
func (r *reader) time(key string, last time.Time) time.Time {
	n := r.number(key)
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(min(n, last.Unix()), 0)
}

func (r *reader) address() netip.Addr {
	text, ok := r.rec.Get(urlbatch.Address)
	if !ok {
		return netip.Addr{}
	}
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" || a.Is4In6() {
		r.fail(fmt.Errorf("%s=%.60q is no IP address", urlbatch.Address, text))
	}
	return a
}

func (r *reader) reason() string {
	name, ok := r.rec.Get(urlbatch.Unreached)
	if ok && (len(name) > maxReason || !report.ValidName(name)) {
		r.fail(fmt.Errorf("%s=%.60q is no name of a failure", urlbatch.Unreached, name))
	}
	return name
}
