package main

import (
	"fmt"
	"strings"
)

// bodyFaults break the framing of a body, or never end it.
func bodyFaults() []fault {
	return []fault{
		{name: "body-silent", answer: func(w *wire) { w.send(lengthHead("1000") + "half a body"); w.silence() }},
		{name: "body-slow", answer: func(w *wire) { w.send(lengthHead("1000")); w.drip("slow ") }},
		{name: "body-endless", answer: func(w *wire) { w.send(chunkedHead()); w.flood(repeated(chunk(fill))) }},
		{name: "body-unbounded", answer: func(w *wire) { w.send(head("200 OK", "Content-Type: "+typeHTML)); w.flood(repeated(fill)) }},
		{name: "body-reset", answer: func(w *wire) { w.send(lengthHead("100000") + fill); w.reset() }},
		{name: "length-huge", answer: func(w *wire) { w.send(lengthHead("1099511627776")); w.flood(repeated(fill)) }},
		{name: "length-long", answer: func(w *wire) { w.last(lengthHead("1000") + "a body that ends early") }},
		{name: "length-short", answer: func(w *wire) { w.last(lengthHead("4") + "body, and what is behind its end") }},
		{name: "length-negative", answer: func(w *wire) { w.last(lengthHead("-1") + "body") }},
		{name: "length-absurd", answer: func(w *wire) { w.last(lengthHead("99999999999999999999") + "body") }},
		{name: "length-two", answer: func(w *wire) { w.last(head("200 OK", "Content-Length: 4", "Content-Length: 9") + "body and more") }},
		{name: "length-chunked", answer: func(w *wire) {
			w.last(head("200 OK", "Content-Length: 4", "Transfer-Encoding: chunked") + chunk("body") + lastChunk)
		}},
		{name: "chunk-garbled", answer: func(w *wire) { w.last(chunkedHead() + chunk("body") + "zz\r\nbody\r\n" + lastChunk) }},
		{name: "chunk-huge", answer: func(w *wire) { w.send(chunkedHead() + "ffffffffffffffff\r\n"); w.flood(repeated(fill)) }},
		{name: "chunk-cut", answer: func(w *wire) { w.last(chunkedHead() + chunk("body") + "1000\r\nhalf a chunk") }},
		{name: "chunk-extension", answer: func(w *wire) { w.send(chunkedHead() + "4;x="); w.flood(repeated(fill)) }},
		{name: "chunk-trailer", answer: func(w *wire) { w.send(chunkedHead() + chunk("body") + "0\r\n"); w.flood(fieldLines) }},
		{name: "chunk-crumbs", answer: func(w *wire) { w.send(chunkedHead()); w.flood(repeated(strings.Repeat(chunk("x"), 1000))) }},
	}
}

// fill is 16 KB of a body.
var fill = strings.Repeat("<p>without end\n", 1<<14/15)

func lengthHead(n string) string {
	return head("200 OK", "Content-Type: "+typeHTML, "Content-Length: "+n)
}

func chunkedHead() string {
	return head("200 OK", "Content-Type: "+typeHTML, "Transfer-Encoding: chunked")
}

const lastChunk = "0\r\n\r\n"

func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
