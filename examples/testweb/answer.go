package main

import "net/http"

// site is what stands behind the server: the synthetic web or a folder.
type site interface {
	// number is the number of a host of this web, from 0.
	number(host string) (int, bool)
	// faultOf is how the host of a number misbehaves, nil where it does not.
	faultOf(number int) *fault
	// answer says what a host of the web has at target, the path and query as they were
	// asked; userAgent is who asks. The body is appended to buf.
	answer(host, target, userAgent string, buf []byte) answer
}

// answer is what a request gets.
type answer struct {
	kind        kind
	target      string // the target in its canonical spelling
	status      int
	contentType string
	location    string
	body        []byte
}

const typeHTML = "text/html; charset=utf-8"

// movedBody is the body of every 301: two redirects differ in their header only.
const movedBody = "<!DOCTYPE html>\n<title>Moved</title><p>This document has moved.</p>\n"

func moved(status int, location, target string, buf []byte) answer {
	body := movedBody
	if status == http.StatusFound {
		body = "<!DOCTYPE html>\n<title>Found</title><p>This document is elsewhere for now.</p>\n"
	}
	return answer{kindRedirect, target, status, typeHTML, location, append(buf, body...)}
}

func notFound(k kind, target string, buf []byte) answer {
	const body = "<!DOCTYPE html>\n<title>Not found</title>\n"
	return answer{k, target, http.StatusNotFound, typeHTML, "", append(buf, body...)}
}
