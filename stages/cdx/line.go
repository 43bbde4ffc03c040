package main

import (
	"fmt"
	"strings"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/warc"
)

// lineOf returns the line of an answer in the named file. If the date cannot be parsed, the line
// has a zero date. An error means that the file is damaged.
func lineOf(a *warc.Answer, file string) (cdxj.Line, error) {
	_, digest, _ := strings.Cut(a.PayloadDigest(), ":")
	l := cdxj.Line{
		Key:      cdxj.Key(a.URL()),
		URL:      a.Record().URL(), // one line of ASCII, even in archives that others wrote
		Digest:   digest,
		Length:   int64(len(a.Packed().Response)),
		Offset:   a.Offset(),
		Filename: file,
	}
	if date, err := a.Date(); err == nil {
		l.Date = date
	}
	h, err := a.HTTP()
	if damage := warc.Damage(err); damage != nil {
		return l, damage
	}
	if err == nil {
		l.Status = fmt.Sprintf("%03d", h.Status)
		mime, _, _ := strings.Cut(h.Header.Get("Content-Type"), ";")
		l.Mime = strings.ToLower(strings.TrimSpace(mime))
	}
	if a.Revisit() {
		l.Mime = "warc/revisit"
	}
	return l, nil
}
