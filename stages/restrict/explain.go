package main

import (
	"fmt"
	"io"
	"strings"

	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
)

// explain prints which rule decides the record in text, and why. Its attributes stand behind
// blanks or tabs.
func explain(w io.Writer, sc scope, text string) error {
	url, attrs, _ := strings.Cut(strings.TrimSpace(text), " ")
	rec := urlbatch.New(url)
	for attr := range strings.FieldsSeq(attrs) {
		key, value, _ := strings.Cut(attr, "=")
		if key != urlbatch.Depth {
			return stage.Usagef("-explain: %q is not depth=N, the attribute that rules look at", attr)
		}
		rec.Set(key, value)
	}
	c, reason := canonical(url)
	if reason != "" {
		_, err := fmt.Fprintf(w, "rejected: %s, it has no canonical form (reason %s)\n", rec.URL(), reason)
		return err
	}
	s := &subject{url: c, depth: int(rec.Int(urlbatch.Depth))}
	r := sc.decide(s)
	verdict, end := "kept", ""
	if !r.keep {
		verdict, end = "rejected", fmt.Sprintf(" (reason %s)", r.name)
	}
	fmt.Fprintf(w, "%s: %s%s\n", verdict, c, end)
	_, err := fmt.Fprintf(w, "rule:  %s (%s)\n", r.text, r.place)
	for _, c := range r.conditions {
		if v := c.kind.value(s); c.kind.name != "all" {
			_, err = fmt.Fprintf(w, "since: %s, and it is %q\n", c.text, v)
		}
	}
	return err
}
