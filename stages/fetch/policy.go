package main

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/traffic/again"
	"multitext/stages/internal/traffic/exchange"
)

// Reasons of failures, in addition to those of package exchange.
const (
	noSuchHost  = "no-such-host"
	dnsFailed   = "dns-failed"
	badAddr     = "bad-addr"
	badScheme   = "bad-scheme"
	crawlDelay  = "crawl-delay"
	brokenOff   = "broken-off"
	overtime    = "overtime"
	tooMany     = "too-many-requests"
	unavailable = "service-unavailable"
)

// A rule says what happens to a URL after a failure.
type rule struct {
	reason string
	counts string        // attribute that counts such failures: urlbatch.Tries or urlbatch.Outages
	tries  int64         // total number of tries; after the last one the URL is given up
	wait   time.Duration // wait after the first try, doubled after each, at most an hour; 0: do not retry
	what   string        // description of the failure
}

// A policy has a rule for each reason.
type policy []rule

// newPolicy returns the default policy, without -retry.
//
// Failures that may be caused by the crawler's own network allow seven tries, the last 42 minutes
// after the first. So a network outage of half an hour loses nothing. Failures that are probably
// caused by the server or the page allow fewer tries. These have a separate count, so that a URL
// still has all of them after an outage.
func newPolicy() policy {
	const network, page = 7, 3
	const soon, later = 40 * time.Second, 5 * time.Minute
	return policy{
		{dnsFailed, urlbatch.Outages, network, soon, "no name server returned the address"},
		{exchange.Refused, urlbatch.Outages, network, soon, "no program listens at the server's port"},
		{exchange.Unreachable, urlbatch.Outages, network, soon, "there is no route to the server"},
		{exchange.ConnectTimeout, urlbatch.Outages, network, soon, "the server does not answer"},
		{exchange.ConnectFailed, urlbatch.Outages, network, soon, "the connection failed for another reason"},
		{exchange.TLSTimeout, urlbatch.Outages, network, soon, "the TLS handshake did not end"},
		{exchange.Reset, urlbatch.Outages, network, soon, "the connection broke before the header was complete"},
		{exchange.NoAnswer, urlbatch.Outages, network, soon, "the server closed the connection without an answer"},

		{exchange.TLSFailed, urlbatch.Tries, page, later, "the TLS handshake failed"},
		{exchange.Certificate, urlbatch.Tries, page, later, "the certificate is not valid for the host"},
		{exchange.HeadTimeout, urlbatch.Tries, page, soon, "the header did not end within -timeout, or dripped"},
		{exchange.HeadTooLong, urlbatch.Tries, 2, later, "the header is longer than -max-header"},
		{exchange.NotHTTP, urlbatch.Tries, page, later, "the answer is not HTTP"},
		{brokenOff, urlbatch.Tries, page, soon, "the body ended early; archived after the last try"},
		{overtime, urlbatch.Tries, 5, soon, "the request was running when the run had to end"},
		{tooMany, urlbatch.Tries, 5, later, "429: too many requests to the host; archived after the last try"},
		{unavailable, urlbatch.Tries, 5, later, "503: not available now; archived after the last try"},

		{exchange.PrivateAddress, urlbatch.Tries, 1, 0, "connections to the address are forbidden"},
		{noSuchHost, urlbatch.Tries, 1, 0, "the name does not exist"},
		{crawlDelay, urlbatch.Tries, 1, 0, "the crawl-delay does not fit into -for"},
		{badAddr, urlbatch.Tries, 1, 0, "addr= is not a list of addresses"},
		{badScheme, urlbatch.Tries, 1, 0, "the URL is neither http nor https"},
		{urlbatch.BadLine, urlbatch.Tries, 1, 0, "the line is not a record"},
	}
}

// putOffs returns the reasons for which a URL goes to again without losing a try.
func putOffs() policy {
	return policy{
		{reason: notStarted, what: "no try lost: there was no time left"},
		{reason: pinExpired, what: "no try lost: the addresses had expired (until=); resolve looks them up again"},
		{reason: hostHeld, what: "no try lost: the host allows no requests now; given up after -patience"},
		{reason: cutShort, what: "no try lost: the other URLs of a short run were done (once for a URL, with -visits)"},
		{reason: overShare, what: "no try lost: the host has used its -share of the hour"},
	}
}

// of returns the rule for a reason.
func (p policy) of(reason string) rule {
	for _, r := range p {
		if r.reason == reason {
			return r
		}
	}
	return rule{reason: reason, counts: urlbatch.Tries, tries: 3, wait: time.Minute}
}

// set parses s, which is REASON=TRIES[,WAIT], and changes the rules for REASON. A * in REASON
// stands for any text.
func (p policy) set(s string) error {
	pattern, value, ok := strings.Cut(s, "=")
	count, first, held := strings.Cut(value, ",")
	tries, err := strconv.ParseUint(count, 10, 31)
	if !ok || err != nil || tries < 1 {
		return fmt.Errorf("%q: want REASON=TRIES or REASON=TRIES,WAIT, such as reset=3,10s", s)
	}
	wait := time.Duration(0)
	if held {
		if wait, err = time.ParseDuration(first); err != nil || wait <= 0 || wait > again.Longest {
			return fmt.Errorf("%q: %q is not a wait of at most %v, such as 10s", s, first, again.Longest)
		}
	}
	matched := false
	for i := range p {
		r := &p[i]
		if ok, err := path.Match(pattern, r.reason); err != nil {
			return fmt.Errorf("%q: %w", s, err)
		} else if !ok || r.wait == 0 {
			continue
		}
		matched = true
		r.tries = int64(tries)
		if held {
			r.wait = wait
		}
	}
	if !matched {
		return fmt.Errorf("%q: no failure with retries has this name; fetch -policy lists the names", s)
	}
	return nil
}

// print writes the table. The column all has the time from the first try to the last.
func (p policy) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "reason\ttries\tfirst wait\tall\twhat happened")
	for _, r := range slices.Concat(p, putOffs()) {
		wait, all := "-", "-"
		if r.tries > 1 {
			wait, all = short(r.wait), short(r.all())
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", r.reason, r.tries, wait, all, r.what)
	}
	return t.Flush()
}

// all returns the time from the first try to the last.
func (r rule) all() (sum time.Duration) {
	for tries := int64(1); tries < r.tries; tries++ {
		sum += again.After(r.wait, tries)
	}
	return sum
}

// short formats d, in minutes if it is a whole number of minutes.
func short(d time.Duration) string {
	if d >= 2*time.Minute {
		d = d.Truncate(time.Minute)
		return strings.TrimSuffix(d.String(), "0s")
	}
	return d.String()
}
