// Package visits has the record of what one run of fetch learned of a host: how much it asked, what
// came of it, and how soon the host may be asked again. fetch writes such records (-visits); who
// plans what is asked next reads them. resolve writes one of each host in its run that has no URL for
// fetch. So each host in a batch is told of by one record: of fetch if one of its URLs is ready, else
// of resolve.
//
// What a record says comes from servers: a host that answers slowly, or not at all, says so by it,
// and a record may have been changed on its way. So the reader checks each value, and takes no time
// for longer than Longest: a host can be put off for an hour, not for ever.
//
// # Format, version 1
//
// A file is a URL batch (package urlbatch). A record has the URL http://HOST/, where HOST is a name
// or an address without port, and these attributes. Numbers are decimal, from 0 to 2⁵³-1; what is
// 0, or unknown, is absent. Other attributes are passed over.
//
//	asked       requests started; as many as answered and failed together. It is there even if it is
//	            0: a record with it is of a visit
//	answered    answers, of any status
//	failed      requests without an answer
//	bytes       bytes of the answers, headers included
//	took        mean time of an answer in milliseconds, rounded up; only with answers
//	pause       milliseconds that the host is left alone between two requests as things stood at
//	            the end of the run, rounded up; of a host that was not asked, what robots.txt and
//	            the crawler's own delay ask for
//	not_before  unix seconds before which it is not to be asked, rounded up
//	address     IP address that was asked last, without port
//	unreached   why the server could not be reached, or has answered nothing; one of the names that
//	            fetch -policy lists
//	unready     URLs that resolve refused or gave back, all that the host had in its run. The record is
//	            of resolve then: asked is 0, and the time between requests is not known
//
// testdata/v1 has batches, kept for ever; visits.txt is of a fetch that left asked out where it was
// 0, and unready.txt is of resolve.
package visits

import (
	"net/netip"
	"time"

	"multitext/stages/internal/formats/urlbatch"
)

// Longest bounds what Of gives: Took and Pause, and NotBefore from now on.
const Longest = time.Hour

// CutShort is the Unreached of a host for which its run did not wait, as all others were done.
const CutShort = "cut-short"

// A Visit is what one run of fetch, or of resolve, learned of a host.
type Visit struct {
	Host      string // as URLs have it, without port
	Asked     int64  // requests; Answered + Failed
	Answered  int64
	Failed    int64         // without an answer
	Bytes     int64         // of the answers
	Took      time.Duration // mean of the answers; 0 without any
	Pause     time.Duration // between two requests
	NotBefore time.Time     // zero: at once
	Address   netip.Addr    // zero: none is known
	Unreached string        // reason; "" of a host that was reached, or not asked
	Unready   int64         // URLs; more than 0 if resolve tells, and then nothing was asked
}

// Encode makes rec the record of v. Times are rounded up.
func (v *Visit) Encode(rec *urlbatch.Record) {
	rec.Reset([]byte("http://" + v.Host + "/"))
	for _, n := range []struct {
		key   string
		value int64
	}{
		{urlbatch.Asked, v.Asked}, {urlbatch.Answered, v.Answered}, {urlbatch.Failed, v.Failed},
		{urlbatch.Bytes, v.Bytes}, {urlbatch.Took, milliseconds(v.Took)}, {urlbatch.Pause, milliseconds(v.Pause)},
		{urlbatch.NotBefore, seconds(v.NotBefore)}, {urlbatch.Unready, v.Unready},
	} {
		if n.value != 0 || n.key == urlbatch.Asked {
			rec.SetInt(n.key, n.value)
		}
	}
	if v.Address.IsValid() {
		rec.Set(urlbatch.Address, v.Address.String())
	}
	if v.Unreached != "" {
		rec.Set(urlbatch.Unreached, v.Unreached)
	}
}

// milliseconds rounds d up.
func milliseconds(d time.Duration) int64 {
	n := d.Milliseconds()
	if d > time.Duration(n)*time.Millisecond {
		n++
	}
	return n
}

// seconds is t as unix seconds, rounded up; 0 for the zero Time.
func seconds(t time.Time) int64 {
	switch {
	case t.IsZero():
		return 0
	case t.Nanosecond() > 0:
		return t.Unix() + 1
	}
	return t.Unix()
}
