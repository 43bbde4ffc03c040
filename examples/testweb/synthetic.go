package main

import (
	"fmt"
	"net/http"
)

// synthetic is the synthetic web as a site.
type synthetic struct {
	shape shape
	prose prose
}

func newSynthetic(s shape) *synthetic {
	return &synthetic{s, newProse(s.seed)}
}

func (w *synthetic) number(name string) (int, bool) { return w.shape.hostNumber(name) }

func (w *synthetic) faultOf(number int) *fault { return w.shape.faultOf(number) }

func (w *synthetic) answer(name, target, _ string, buf []byte) answer {
	host, ok := w.shape.hostNumber(name)
	if !ok {
		return notFound(kindStray, target, buf)
	}
	a, ok := w.shape.find(host, target)
	if !ok {
		return notFound(kindStray, target, buf)
	}
	return w.at(a, buf)
}

// at is the answer of an address.
func (w *synthetic) at(a address, buf []byte) answer {
	ok := func(contentType string, body []byte) answer {
		return answer{a.kind(), w.shape.path(a), http.StatusOK, contentType, "", body}
	}
	switch a.role {
	case rolePage, rolePrint:
		return ok(contentType(a.n), w.appendPage(buf, a.host, a.n))
	case roleIndex:
		return ok(contentType(0), w.appendPage(buf, a.host, 0))
	case roleMirror:
		before := (a.host + w.shape.hosts - 1) % w.shape.hosts
		return ok(contentType(1), w.appendPage(buf, before, 1))
	case roleMoved, roleLoop:
		return w.redirect(a, buf)
	case rolePrivate:
		body := fmt.Appendf(buf, "<!DOCTYPE html>\n<title>Private</title><p>%d of %s\n", a.n, hostName(a.host))
		return ok(typeHTML, body)
	case roleAsset:
		asset := assets()[a.n]
		return ok(asset.contentType, append(buf, asset.body...))
	case roleRobots:
		if text := w.shape.robotsTxt(a.host); text != "" {
			return ok("text/plain", append(buf, text...))
		}
	}
	return notFound(a.kind(), w.shape.path(a), buf)
}

// redirect answers for a redirect, its Location spelled in turn as an absolute URL, a path, and
// relative to the folder /r/.
func (w *synthetic) redirect(a address, buf []byte) answer {
	to := w.shape.moved(a)
	status := http.StatusMovedPermanently
	if a.n%50 == 15 {
		status = http.StatusFound
	}
	location := w.shape.url(to)
	switch {
	case to.host == a.host && a.n%3 == 1:
		location = w.shape.path(to)
		if !w.shape.plain {
			location += "#s0"
		}
	case to.host == a.host && a.n%3 == 2 && a.step == 0:
		location = relative("/r/", w.shape.path(to))
	}
	return moved(status, location, w.shape.path(a), buf)
}
