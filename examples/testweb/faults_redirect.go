package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// redirectFaults lead nowhere, or where a crawler must not go.
func redirectFaults() []fault {
	return []fault{
		{name: "redirect-self", answer: func(w *wire) { w.redirect(w.target) }},
		{name: "redirect-loop", answer: func(w *wire) { w.redirect("/loop/" + next(w.target, 3)) }},
		{name: "redirect-endless", answer: func(w *wire) { w.redirect("/hop/" + next(w.target, 1<<30)) }},
		{name: "redirect-long", answer: func(w *wire) { w.redirect("/long/" + strings.Repeat("x", 10<<10)) }},
		{name: "redirect-private", answer: leadTo(
			"http://127.0.0.1:22/", "http://169.254.169.254/latest/meta-data/", "http://[::ffff:10.0.0.1]/",
			"http://[::1]/",
			"http://10.0.0.1/", "http://192.168.1.1/admin", "http://0.0.0.0/", "http://2130706433/", "http://0x7f.1/",
			"http://[64:ff9b::7f00:1]/", "http://[fe80::1]/")},
		{name: "redirect-scheme", answer: leadTo("file:///etc/passwd", "gopher://10.0.0.1:25/_HELO", "ftp://127.0.0.1/",
			"javascript:alert(1)", "data:text/html,<a href='/x'>", "dict://127.0.0.1:11211/stat",
			"jar:http://SELF/!/")},
		{name: "redirect-garbled", answer: leadTo("http://", "http:///etc/passwd", "//", "http://:80/",
			"http://SELF:99999/",
			"/a"+terminal, "/\xff\xfe", "http://user:secret@[::1", "http://a..test/", "/x\r\n\tHTTP/1.1 200 OK", "%",
			"")},
	}
}

// next is the number behind the one that path ends with, modulo n.
func next(path string, n int) string {
	last, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
	return strconv.Itoa((last + 1) % n)
}

// leadTo has a front page that links to redirects to the places, and to the places
// themselves.
func leadTo(places ...string) func(*wire) {
	return func(w *wire) {
		if i, err := strconv.Atoi(strings.TrimPrefix(w.target, "/to/")); err == nil && i >= 0 && i < len(places) {
			w.redirect(strings.ReplaceAll(places[i], "SELF", w.host))
			return
		}
		var b strings.Builder
		for i, place := range places {
			fmt.Fprintf(&b, "<a href=\"/to/%d\">by redirect</a> <a href=\"%s\">there</a>\n", i, place)
		}
		w.page(strings.ReplaceAll(b.String(), "SELF", w.host))
	}
}

// busyFaults send the client away for a time.
func busyFaults() []fault {
	busy := func(status string, after func() string) func(*wire) {
		return func(w *wire) { w.answer(status, "later\n", "Retry-After: "+after()) }
	}
	is := func(text string) func() string { return func() string { return text } }
	const slowDown, unavailable = "429 Too Many Requests", "503 Service Unavailable"
	return []fault{
		{name: "busy-429", answer: always(slowDown, "later\n")},
		{name: "busy-503", answer: always(unavailable, "later\n")},
		{name: "busy-seconds", answer: busy(slowDown, is("2"))},
		{name: "busy-date", answer: busy(unavailable,
			func() string { return time.Now().Add(3 * time.Second).UTC().Format(http.TimeFormat) })},
		{name: "busy-past", answer: busy(unavailable, is("Thu, 01 Jan 1970 00:00:00 GMT"))},
		{name: "busy-negative", answer: busy(slowDown, is("-5"))},
		{name: "busy-garbled", answer: busy(unavailable, is("soon"+terminal))},
		{name: "busy-absurd", answer: busy(unavailable, is("99999999999999999999"))},
	}
}
