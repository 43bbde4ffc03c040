package urlbatch

import (
	"bytes"
	"slices"
	"strconv"

	"multitext/stages/internal/run/percent"
)

// Reset sets r to a record of url without attributes. url must be canonical; bytes outside 0x21 to
// 0x7e are escaped.
func (r *Record) Reset(url []byte) {
	r.own = append(r.own[:0], url...)
	r.line, r.url, r.mine = r.own, len(url), true
	r.escapeURL()
}

// SetURL replaces the URL and keeps the attributes. url may be a part of the current URL. SetURL
// escapes like Reset.
func (r *Record) SetURL(url []byte) {
	copy(r.replace(0, r.url, len(url)), url)
	r.url = len(url)
	r.escapeURL()
}

// escapeURL does not escape %, because canonical URLs contain escapes.
func (r *Record) escapeURL() {
	if visible(r.URLBytes()) == r.url {
		return
	}
	url := escape(r.URLBytes(), func(c byte) bool { return c >= 0x21 && c <= 0x7e })
	copy(r.replace(0, r.url, len(url)), url)
	r.url = len(url)
}

// escape returns b with the bytes escaped that do not stand for themselves.
func escape(b []byte, stands func(c byte) bool) []byte {
	out := make([]byte, 0, len(b))
	for i, c := range b {
		if stands(c) {
			out = append(out, c)
		} else {
			out = percent.Append(out, string(b[i:i+1]))
		}
	}
	return out
}

// Append adds attributes at the end. attrs is the result of Attrs of another record, for example
// the attributes that all links of a page share.
func (r *Record) Append(attrs []byte) {
	end := len(r.line)
	copy(r.replace(end, end, len(attrs)), attrs)
}

// Set sets the attribute key to value. It replaces an existing value, or adds the attribute at the
// end. key must be well formed; value may be any text.
func (r *Record) Set(key, value string) {
	n := escapedLen(value)
	if _, from, to, ok := r.find(key); ok {
		percent.Append(r.replace(from, to, n)[:0], value)
		return
	}
	end := len(r.line)
	b := append(r.replace(end, end, 1+len(key)+1+n)[:0], '\t')
	b = append(append(b, key...), '=')
	percent.Append(b, value)
}

// escapedLen returns the length of the escaped s.
func escapedLen(s string) int {
	n := len(s)
	for i := range len(s) {
		if !percent.Plain(s[i]) {
			n += 2
		}
	}
	return n
}

// SetInt is like Set for a number.
func (r *Record) SetInt(key string, n int64) { r.Set(key, strconv.FormatInt(n, 10)) }

// Del removes every attribute named by keys.
func (r *Record) Del(keys ...string) {
	has := func(key string) bool { _, ok := r.Raw(key); return ok }
	if !slices.ContainsFunc(keys, has) {
		return
	}
	r.possess(len(r.line))
	kept := r.url // what is written never overtakes what is read
	for from := r.url; from < len(r.line); {
		to := r.attrEnd(from)
		key, _, _ := bytes.Cut(r.line[from+1:to], []byte("="))
		if !slices.Contains(keys, string(key)) {
			kept += copy(r.own[kept:], r.own[from:to])
		}
		from = to
	}
	r.own = r.own[:kept]
	r.line = r.own
}

// shorten removes attributes, the longest first, until the line is within MaxLine. It
// returns false when the URL alone is longer.
func (r *Record) shorten() bool {
	for len(r.line) > MaxLine && r.url < len(r.line) {
		tab, end := r.url, r.url
		for from := r.url; from < len(r.line); {
			to := r.attrEnd(from)
			if to-from > end-tab {
				tab, end = from, to
			}
			from = to
		}
		r.replace(tab, end, 0)
	}
	return len(r.line) <= MaxLine
}

// replace makes room for n bytes in place of those of the line from one index to another, and
// returns it.
func (r *Record) replace(from, to, n int) []byte {
	tail := len(r.line) - to
	r.possess(from + n + tail)
	r.own = r.own[:from+n+tail]
	copy(r.own[from+n:], r.own[to:to+tail]) // where it becomes shorter, its end is still there behind own
	r.line = r.own
	return r.own[from : from+n]
}

// possess copies the line to the record's own memory, with room for size bytes.
func (r *Record) possess(size int) {
	if !r.mine {
		r.own = append(r.own[:0], r.line...)
	}
	r.own = slices.Grow(r.own, max(0, size-len(r.own)))
	r.line, r.mine = r.own, true
}
