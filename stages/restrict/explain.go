package main

import (
	"fmt"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
)

// explain prints which rule decides the record in text, and why. text is a URL, followed by
// attributes with a blank or tab before each.
func (o *options) explain(env *stage.Env, sc scope, text string) error {
	w := env.Stdout
	url, attrs := strings.TrimSpace(text), ""
	if i := strings.IndexAny(url, " \t"); i >= 0 {
		url, attrs = url[:i], url[i:]
	}
	rec := urlbatch.New(url)
	for attr := range strings.FieldsSeq(attrs) {
		key, value, _ := strings.Cut(attr, "=")
		_, err := strconv.ParseUint(value, 10, 32)
		if key != urlbatch.Rel && (key != urlbatch.Depth || err != nil) {
			return stage.Usagef("-explain: %q is not depth=N or rel=NAME, the attributes that rules look at", attr)
		}
		rec.Set(key, value)
	}
	c, err := canon.Parse(url)
	if err != nil {
		_, err := fmt.Fprintf(w, "rejected: %s, it has no canonical form (reason %s)\n", rec.URL(), reasonOf(err))
		return err
	}
	rec.SetURL([]byte(c))
	s := newSubject(rec, o.now.Year())
	r := sc.decide(s)
	hosts, full := "", false
	if r.keep && o.domains != "" {
		if hosts, full, err = o.explainHosts([]byte(c), env.Hash); err != nil {
			return err
		}
	}
	switch {
	case full:
		fmt.Fprintf(w, "rejected: %s (reason %s)\n", c, trapHosts)
	case r.keep:
		fmt.Fprintf(w, "kept: %s\n", c)
	default:
		fmt.Fprintf(w, "rejected: %s (reason %s)\n", c, r.name)
	}
	fmt.Fprintf(w, "rule:  %s (%s)\n", r.text, r.place)
	for _, c := range r.conditions {
		if v := c.kind.value(s); c.kind.name != "all" {
			fmt.Fprintf(w, "since: %s, and it is %q\n", c.text, v)
		}
	}
	_, err = fmt.Fprint(w, hosts)
	return err
}

// explainHosts returns a line that says how full the domain of the URL is. full reports whether the
// domain has no room for the host. The URL is treated as a link, not as a seed.
func (o *options) explainHosts(url []byte, hash *keyed.Hash) (line string, full bool, err error) {
	d, err := openDomains(o.domains, hash, o.maxHosts)
	if err != nil {
		return "", false, err
	}
	defer d.set.Close()
	known, err := d.known(d.hostKey(canon.Host(url)))
	if err != nil {
		return "", false, err
	}
	n, err := d.hostsOf(domainOf(url))
	if err != nil {
		return "", false, err
	}
	in, err := d.admit(url, false)
	among := "is not one of them"
	switch {
	case known:
		among = "is one of them"
	case !in:
		among = "is not one of them (a seed is kept)"
	}
	return fmt.Sprintf("hosts: %d of %d that %s may have are taken up, and %s %s\n", n, o.maxHosts, domainOf(url),
		canon.Host(url), among), !in, err
}
