package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

const trapHosts = "trap-hosts"

// trapFaults are webs without end, made of pages in good form.
func trapFaults() []fault {
	return []fault{
		{name: "trap-calendar", answer: calendar},
		{name: "trap-path", answer: deeper},
		{name: "trap-session", answer: session},
		{name: "trap-query", answer: queries},
		{name: trapHosts, names: true, answer: moreHosts},
		{name: "trap-random", answer: random},
		{name: "trap-links", answer: manyLinks},
		{name: "trap-refresh", answer: func(w *wire) {
			w.page(`<meta http-equiv=refresh content="0; url=/again/` + next(w.target, 1<<30) + `">`)
		}},
	}
}

// calendar has a page for each month, from this one on.
func calendar(w *wire) {
	month, err := time.Parse("/calendar/2006/01", w.target)
	if err != nil {
		now := time.Now()
		month = time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	link := func(years, months int, text string) string {
		return fmt.Sprintf("<a href=%q>%s</a> ", month.AddDate(years, months, 0).Format("/calendar/2006/01"), text)
	}
	w.page("<h1>" + month.Format("January 2006") + "</h1>" + link(0, -1, "before") + link(0, 1, "after") +
		link(1, 0, "next year"))
}

// deeper has a relative link that was meant to be absolute: a/, below it b/, and again.
func deeper(w *wire) {
	folder := "a/"
	if strings.HasSuffix(w.target, "a/") {
		folder = "b/"
	}
	w.page(fmt.Sprintf("<p>%d<a href=%q>deeper</a>", len(w.target), folder))
}

// session gives each visitor of a page a new number, in every link.
func session(w *wire) {
	id := hash(w.host + w.target)
	w.page(fmt.Sprintf("<p>%d<a href=\"/shop?sid=%016x\">shop</a> <a href=\"/cart?sid=%016x\">cart</a>", id, id, id+1))
}

// queries are one list in every order and with every filter.
func queries(w *wire) {
	more := w.target + "&"
	if !strings.Contains(w.target, "?") {
		more = "/list?"
	}
	n := strings.Count(more, "=")
	w.page(fmt.Sprintf("<p>%s<a href=\"%ssort%d=up\">up</a> <a href=\"%ssort%d=down\">down</a>", w.target, more, n,
		more, n))
}

// moreHosts links to two new hosts from each.
func moreHosts(w *wire) {
	n, domain := 0, w.host
	if below, above, ok := strings.Cut(w.host, "."); ok && isTrapHost(below) {
		n, _ = strconv.Atoi(below[1:])
		domain = above
	}
	w.page(fmt.Sprintf("<p>%d<a href=\"http://x%d.%s/\">one</a> <a href=\"http://x%d.%s/\">two</a>", n, 2*n+1, domain,
		2*n+2, domain))
}

// isTrapHost tells whether label is one that moreHosts links to: x and a number.
func isTrapHost(label string) bool {
	digits, ok := strings.CutPrefix(label, "x")
	n, err := strconv.Atoi(digits)
	return ok && err == nil && n >= 0 && n < 100_000 && strconv.Itoa(n) == digits
}

// random is never the same again.
func random(w *wire) {
	w.page(fmt.Sprintf("<p>%x<a href=\"/%x\">on</a> <a href=\"/%x\">on</a>", rand.Uint64(), rand.Uint64(),
		rand.Uint64()))
}

// manyLinks is a megabyte of links, and what they lead to.
func manyLinks(w *wire) {
	var b strings.Builder
	if w.target != "/" {
		w.page(w.target)
		return
	}
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "<a href=/link/%05d>%d</a>\n", i, i)
	}
	w.page(b.String())
}
