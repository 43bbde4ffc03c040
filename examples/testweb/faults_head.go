package main

import (
	"fmt"
	"strings"
)

// headFaults have no head, or a bad one.
func headFaults() []fault {
	return []fault{
		{name: "silent", answer: (*wire).silence},
		{name: "closes", answer: func(w *wire) { w.done() }},
		{name: "resets", answer: (*wire).reset},
		{name: "head-cut", answer: func(w *wire) { w.last(halfHead) }},
		{name: "head-reset", answer: func(w *wire) { w.send(halfHead); w.reset() }},
		{name: "head-silent", answer: func(w *wire) { w.send(halfHead); w.silence() }},
		{name: "head-slow", answer: func(w *wire) { w.drip("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Slow: yes\r\n", 9)) }},
		{name: "head-endless", answer: func(w *wire) { w.send(halfHead); w.flood(fieldLines) }},
		{name: "head-lines", answer: headOfLines},
		{name: "head-line", answer: func(w *wire) { w.send(halfHead + "X-Long: "); w.flood(repeated(strings.Repeat("x", 16<<10))) }},
		{name: "head-controls", answer: headOfControls},
		{name: "interim", answer: func(w *wire) { w.flood(repeated(strings.Repeat(interim, 200))) }},
		{name: "status", answer: always("99999 What", "body")},
		{name: "banner", answer: func(w *wire) { w.send("SSH-2.0-OpenSSH_9.9\r\n"); w.silence() }},
		{name: "binary", answer: func(w *wire) { w.last(noise(w.host, 64<<10)) }},
		{name: "http09", answer: func(w *wire) { w.last("<html><a href=\"/old.html\">an answer without a head</a></html>\n") }},
	}
}

// halfHead is a head that is not at its end.
const halfHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"

// fieldLines are the i-th hundred.
func fieldLines(i int) string {
	var b strings.Builder
	for n := range 100 {
		fmt.Fprintf(&b, "X-Field-%d: %d\r\n", 100*i+n, n)
	}
	return b.String()
}

// headOfLines is long, but has an end.
func headOfLines(w *wire) {
	var b strings.Builder
	b.WriteString(halfHead)
	for i := range 1000 {
		b.WriteString(fieldLines(i))
	}
	b.WriteString("Content-Length: 5\r\n\r\nbody\n")
	w.last(b.String())
}

// terminal is what takes a terminal over, where it is let out.
const terminal = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x00\x08\x7f\x9b31m\u202e"

func headOfControls(w *wire) {
	w.answer("200 "+terminal, w.document("<p>"+terminal), "Content-Type: text/html; charset="+terminal,
		"X-Controls: "+terminal, terminal+": x", "Server: "+terminal)
}
