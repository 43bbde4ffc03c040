package main

import (
	"fmt"
	"strings"
)

// starvers are hosts that take the time of a crawl from all others. No web has them unless -fault
// names them: one of each is enough, and a crawl of them does not end soon.
func starvers() []fault {
	return []fault{
		{name: "links-large", answer: linksTo(10_000, func(w *wire) { w.page(w.target) })},
		{name: "links-two-drip", answer: linksTo(2, drip)},
		{name: "links-drip", answer: linksTo(10_000, drip)},
		{name: "names-drip", names: true, answer: namesBelow(120), robots: dripRobots},
		{name: "names-endless", names: true, answer: namesBelow(5_000), robots: dripRobots},
	}
}

// linksTo is a front page with n links to its own host, and what they lead to.
func linksTo(n int, leaf func(*wire)) func(*wire) {
	return func(w *wire) {
		if w.target != "/" {
			leaf(w)
			return
		}
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<a href=/link/%05d>%d</a>\n", i, i)
		}
		w.page(b.String())
	}
}

// drip is a page of which a byte comes each second.
func drip(w *wire) {
	w.send(lengthHead("1000"))
	w.drip("slow ")
}

// namesBelow is a front page with links to n hosts below its own: x0.h000.test and so on.
func namesBelow(n int) func(*wire) {
	return func(w *wire) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<a href=http://x%d.%s/>%d</a>\n", i, w.host, i)
		}
		w.page(b.String())
	}
}

// dripRobots is the robots.txt of these hosts, of which a byte comes each second.
func dripRobots(w *wire) {
	if label, _, _ := strings.Cut(w.host, "."); !isTrapHost(label) {
		w.answer("200 OK", forbidPrivate, "Content-Type: text/plain")
		return
	}
	w.send(plain())
	w.drip(forbidPrivate)
}
