package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/robots"
)

// An explainer prints what is known about the servers of URLs, and what would happen to the URLs
// now.
type explainer struct {
	w      io.Writer
	cache  *cache
	prober *prober
	judge  *judge
	token  string
	live   bool // ask the servers even if the cache knows them
}

// explain prints what the state knows about the origin of each URL and what would happen to the
// URL. It asks servers only with -live. It writes no output of the stage and no state.
func (o *options) explain(ctx context.Context, env *stage.Env, token string) error {
	env.NoReport = true
	c, err := openCache(o.hosts, env.Hash)
	if err != nil {
		return err
	}
	defer c.set.Close()
	p, err := o.newProber(env, c.codec)
	if err != nil {
		return err
	}
	x := &explainer{w: env.Stdout, cache: c, prober: p, token: token, live: o.live,
		judge: &judge{patience: o.patience, dialer: &o.dialer}}
	defer x.prober.client.Close()
	for _, arg := range env.Inputs {
		url, err := canon.Parse(arg)
		if err != nil {
			return stage.Usagef("explain %q: %w", arg, err)
		}
		if err := x.explain(ctx, urlbatch.New(url)); err != nil {
			return err
		}
	}
	return nil
}

// explain prints one block of lines: the URL, then lines of the form " label: text".
func (x *explainer) explain(ctx context.Context, rec *urlbatch.Record) error {
	origin := originOf(rec)
	if err := x.cache.load([]string{origin}); err != nil {
		return err
	}
	e := x.cache.entries[origin]
	if x.live {
		var err error
		if e, err = x.prober.renew(ctx, origin, e); err != nil {
			return err
		}
	}
	x.judge.now = time.Now()
	fmt.Fprintf(x.w, "%s\n", rec.URL())
	if e == nil {
		x.line("cache", "knows nothing of %s", origin)
		return x.line("now", "its server would be asked (-live does it)")
	}
	u := &candidate{rec: rec}
	if err := x.entry(u, e); err != nil {
		return err
	}
	if !x.live && !e.good(x.prober, x.judge.now) {
		return x.line("now", "its server would be asked anew (-live does it)")
	}
	return x.line("now", "%s", x.judge.of(u, e))
}

func (x *explainer) line(label, format string, args ...any) error {
	_, err := fmt.Fprintf(x.w, "  %-9s%s\n", label+":", fmt.Sprintf(format, args...))
	return err
}

// entry prints the content of e, and what its robots.txt says about u.
func (x *explainer) entry(u *candidate, e *entry) error {
	label := "cache"
	if x.live {
		label = "answer"
	}
	switch e.kind {
	case known:
		x.line(label, "server and robots.txt are known since %s, for %s", x.at(e.expiry.Add(-x.prober.ttl)),
			x.until(e.expiry))
	case notNow:
		x.line(label, "no robots.txt since %s (%s), asked again in %s", x.at(e.since), e.reason, x.until(e.expiry))
	case noHost:
		x.line(label, "%s, believed for %s", e.reason, x.until(e.expiry))
	case private:
		x.line(label, "%s", map[string]string{privateAddress: "the name has no address on the public internet",
			badPort: "the port is one that browsers refuse"}[e.reason])
	}
	x.addresses(e)
	if e.kind != known {
		return nil
	}
	text, err := x.cache.codec.unzip(e.robots)
	if err != nil {
		return err
	}
	rules := robots.Parse(text, x.token)
	decide([]*candidate{u}, rules, newShares())
	reason := "there is none, all is allowed"
	if len(text) > 0 {
		reason = why(u.verdict, u.rec.URL(), text)
	}
	x.line("robots", "%s", reason)
	if delay := rules.CrawlDelay(); delay > 0 {
		x.line("delay", "%s", delay)
	}
	return nil
}

// addresses prints the addresses of the server, and why connections to it are forbidden.
func (x *explainer) addresses(e *entry) {
	var words []string
	for _, addr := range e.addrs {
		word := addr.String()
		if e.named {
			word += " (named by -connect-to)"
		} else if err := x.judge.dialer.Policy.CheckPort(addr); err != nil {
			word += " (not used: " + err.Error() + ")"
		}
		words = append(words, word)
	}
	if len(words) > 0 {
		x.line("address", "%s", strings.Join(words, ", "))
	}
}

// at formats t and how long ago it was.
func (x *explainer) at(t time.Time) string {
	return fmt.Sprintf("%s (%s ago)", t.UTC().Format(time.RFC3339), max(0, x.judge.now.Sub(t)).Round(time.Second))
}

// until formats how long it is until t, or says that t has passed.
func (x *explainer) until(t time.Time) string {
	left := t.Sub(x.judge.now).Round(time.Second)
	if left < 0 {
		return "no longer: over since " + x.at(t)
	}
	return left.String()
}
