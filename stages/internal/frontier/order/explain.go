package order

import (
	"fmt"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
)

// Explain says, for people, what the band of rec is made of. text is the order's, as New has it.
func Explain(text string, band uint8, rec *urlbatch.Record) string {
	failed := "no try failed"
	switch n := band / classes; {
	case n > 0 && rec.Int(urlbatch.Tries) == 0:
		failed = "it kept a run of fetch waiting (cut=1)"
	case n > 0:
		failed = fmt.Sprintf("tries that failed: %d", rec.Int(urlbatch.Tries))
	}
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		name, _, _ := strings.Cut(part, "=")
		parts = append(parts, part+source(name, rec))
	}
	back := ""
	if rec.Int(urlbatch.Back) > 0 {
		back = ", a class better than that: a run gave it back without a try (back=1)"
	}
	return fmt.Sprintf("%s; class %d of 0 to %d in the order %s%s", failed, band%classes, classes-1,
		strings.Join(parts, ", "), back)
}

// source says of what attribute an order makes the class, and its value, which strangers wrote.
func source(name string, rec *urlbatch.Record) string {
	key := map[string]string{"breadth": urlbatch.Depth, "depth": urlbatch.Depth, "score": urlbatch.Score,
		"pagerank": urlbatch.Score}[name]
	if key == "" {
		return ""
	}
	value, ok := rec.Raw(key)
	if !ok {
		return " (no " + key + "=)"
	}
	return fmt.Sprintf(" (%s=%.40s)", key, value)
}
