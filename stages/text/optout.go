package main

import (
	"fmt"
	"slices"
	"strings"

	"multitext/stages/internal/web/directives"
	"multitext/stages/internal/web/httphead"
)

// The ways in which a page may forbid that its text is used. The report counts a page under the
// first of them that applies, as opt-out-NAME.
const (
	noAI      = "noai"
	tdm       = "tdm"
	noIndex   = "noindex"
	noArchive = "noarchive"
)

var allOptOuts = []string{noAI, tdm, noIndex, noArchive}

// parseOptOuts parses a list of them; "none" is the empty list.
func parseOptOuts(list string) ([]string, error) {
	if list == "none" {
		return nil, nil
	}
	obeyed := strings.Split(list, ",")
	for _, name := range obeyed {
		if !slices.Contains(allOptOuts, name) {
			return nil, fmt.Errorf("%.40q is none of %s; for none at all: none", name, strings.Join(allOptOuts, ", "))
		}
	}
	return obeyed, nil
}

// An objector reads what a page forbids.
type objector struct {
	agents []string // names of crawlers, in lower case, whose directives count as well
	obeyed []string
	found  map[string]bool
}

// head begins with the head of another page.
func (o *objector) head(h httphead.Fields) {
	clear(o.found)
	directives.InHead(h, o.agents, o.directive)
	if slices.Contains(h.Values(tdmReservation), "1") { // of several, too
		o.found[tdm] = true
	}
}

// tdmReservation is the name of a header field and of a META (TDM Reservation Protocol, sections 6.2
// and 6.3). Its value is 1 if the rights are reserved.
const tdmReservation = "tdm-reservation"

// meta reads a META of the page.
func (o *objector) meta(name, content []byte) {
	directives.InMeta(name, content, o.agents, o.directive)
	if strings.EqualFold(strings.TrimSpace(string(name)), tdmReservation) && strings.TrimSpace(string(content)) == "1" {
		o.found[tdm] = true
	}
}

func (o *objector) directive(d string) {
	switch d {
	case "noai":
		o.found[noAI] = true
	case "noindex":
		o.found[noIndex] = true
	case "none": // noindex, nofollow
		o.found[noIndex] = true
	case "noarchive", "nocache":
		o.found[noArchive] = true
	}
}

// reason returns the reason why the page may not be used, or "".
func (o *objector) reason() string {
	for _, name := range allOptOuts {
		if o.found[name] && slices.Contains(o.obeyed, name) {
			return "opt-out-" + name
		}
	}
	return ""
}
