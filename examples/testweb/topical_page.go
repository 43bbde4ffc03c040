package main

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// number counts the portals' host as the last.
func (w *topical) number(name string) (int, bool) {
	n, ok := w.hostNumber(name)
	if n == portalHost {
		n = w.hosts()
	}
	return n, ok
}

func (w *topical) faultOf(int) *fault { return nil }

func (w *topical) answer(name, target, _ string, buf []byte) answer {
	p, ok := w.find(name, target)
	switch {
	case target == "/robots.txt":
		return notFound(kindRobots, target, buf)
	case !ok:
		return notFound(kindStray, target, buf)
	case p.kind == topicalGone || p.kind == topicalDead:
		return notFound(kindNotFound, target, buf)
	case p.kind == topicalRedirect:
		return moved(p.status(), w.links(p)[0].url(), target, buf)
	}
	return answer{kindPage, target, p.status(), typeHTML, "", w.appendPage(buf, p)}
}

// deadHosts are the names of the hosts that never answer.
func (w *topical) deadHosts() (names []string) {
	for host := range w.hosts() {
		if w.dead(host) {
			names = append(names, spot{host, 0}.hostName())
		}
	}
	return names
}

// appendPage appends p as HTML to b. Title and anchors are numbers, so that the text alone decides
// how many terms there are; and no two pages have the same title.
func (w *topical) appendPage(b []byte, p topicalPage) []byte {
	b = append(b, "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>"...)
	b = strconv.AppendInt(b, int64(p.n), 10)
	b = append(b, "</title></head>\n<body>\n"...)
	links := w.links(p)
	d := w.dice(streamText, p.n)
	terms := w.termsOf(d, p)
	for i, to := range links {
		b = append(b, "<p>"...)
		share := terms * (i + 1) / len(links)
		b = w.appendText(b, d, p, share-terms*i/len(links))
		b = append(b, ` <a href="`...)
		b = append(b, to.url()...)
		b = append(b, `">`...)
		b = strconv.AppendInt(b, int64(i+1), 10)
		b = append(b, "</a></p>\n"...)
	}
	return append(b, "</body></html>\n"...)
}

// termsOf is the number of terms of p.
func (w *topical) termsOf(d *dice, p topicalPage) int {
	between := w.Terms
	switch p.kind {
	case topicalNoText:
		return 0
	case topicalShort:
		between = w.ShortTerms
	}
	return between[0] + d.roll(between[1]-between[0]+1)
}

// appendText appends n words in sentences.
func (w *topical) appendText(b []byte, d *dice, p topicalPage, n int) []byte {
	for n > 0 {
		length := min(n, 5+d.roll(12))
		for i := range length {
			word := w.word(d, p)
			if i == 0 {
				first, size := utf8.DecodeRuneInString(word)
				b = utf8.AppendRune(b, unicode.ToUpper(first))
				word = word[size:]
			} else {
				b = append(b, ' ')
			}
			b = append(b, word...)
		}
		b = append(b, ". "...)
		n -= length
	}
	return b
}

// word draws a word of p. An English one is of a topic with probability topical, and then of p's
// own with probability own, else of any.
func (w *topical) word(d *dice, p topicalPage) string {
	if p.language != "en" {
		return d.pick(w.words[p.language])
	}
	if !d.chance(w.Topical) {
		return d.pick(w.words[general])
	}
	topic := p.topic
	if p.kind != topicalText && p.kind != topicalShort || !d.chance(w.Own) {
		for topic = w.topicAt(d.point()); w.topics[topic] == foreign; {
			topic = w.topicAt(d.point())
		}
	}
	return d.pick(w.words[w.topics[topic]])
}

// pick draws a word, the first of the list more often than the last, as in a language.
func (d *dice) pick(words []string) string { return words[d.roll(1+d.roll(len(words)))] }
