package main

import "strings"

// robotsFaults have a robots.txt that is none, behind which lies a small site in good
// health. Where rules come first in it, they hold.
func robotsFaults() []fault {
	robots := func(name string, answer func(*wire)) fault {
		return fault{name: "robots-" + name, answer: smallSite, robots: answer}
	}
	none := func(name string, answer func(*wire)) fault {
		return fault{name: "robots-" + name, answer: smallSite, robots: answer, nothing: true}
	}
	empty := func(name string, answer func(*wire)) fault {
		return fault{name: "robots-" + name, answer: smallSite, robots: answer, all: true}
	}
	return []fault{
		none("500", always("500 Internal Server Error", "oops\n")),
		none("429", always("429 Too Many Requests", "later\n", "Retry-After: 1")),
		none("silent", (*wire).silence),
		none("resets", (*wire).reset),
		none("slow", func(w *wire) { w.drip(head("200 OK") + forbidPrivate) }),
		robots("endless", func(w *wire) { w.send(plain() + forbidPrivate); w.flood(repeated(comments)) }),
		robots("10mb", func(w *wire) { w.last(plain() + forbidPrivate + strings.Repeat(comments, 10<<20/len(comments))) }),
		robots("chain", robotsChain),
		empty("binary", func(w *wire) { w.answer("200 OK", noise(w.host, 64<<10), "Content-Type: text/plain") }),
		robots("controls", func(w *wire) { w.answer("200 OK", terminal+"\n"+forbidPrivate+"Sitemap: "+terminal+"\n") }),
		empty("html", func(w *wire) { w.page("<p>No such page. " + strings.Repeat("Sorry. ", 100)) }),
		empty("loop", func(w *wire) { w.redirect("/robots.txt") }),
	}
}

func plain() string { return head("200 OK", "Content-Type: text/plain") }

var comments = strings.Repeat("# a comment of a robots.txt that goes on and on\n", 341)

// smallSite has a front page, three pages, the end of the chain to robots.txt, and a
// page that robots.txt may forbid. Its links stay on it.
func smallSite(w *wire) {
	switch {
	case isRobotsHop(w.target):
		robotsChain(w)
	case w.target == "/":
		w.page(`<a href="/1.html">one</a> <a href="/2.html">two</a> <a href="/3.html">three</a> <a href="/private/4.html">four</a>`)
	default:
		w.page("<p>" + w.host + w.target)
	}
}

// robotsChain leads over five redirects, as many as RFC 9309 (2.3.1.2) wants followed.
func robotsChain(w *wire) {
	if w.target == robotsHop+"5" {
		w.answer("200 OK", forbidPrivate, "Content-Type: text/plain")
		return
	}
	hop := "1"
	if isRobotsHop(w.target) {
		hop = next(w.target, 6)
	}
	w.redirect(robotsHop + hop)
}

const robotsHop = "/robots/"

// isRobotsHop tells whether target is a step on the way to robots.txt.
func isRobotsHop(target string) bool { return strings.HasPrefix(target, robotsHop) }
