package page

import (
	"html/template"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
)

// A link leads to a page of a crawl.
type link struct{ Path, Name string }

// functions are those of the templates: how figures are written.
func functions() template.FuncMap {
	return template.FuncMap{
		"nav":     nav,
		"bytes":   figure.Size,
		"count":   func(n int, noun string) string { return figure.Count(n, noun) },
		"number":  number,
		"known":   figure.Known,
		"seconds": figure.Seconds,
		"stamp":   figure.Stamp,
		"age":     figure.Age,
		"until":   figure.Until,
		"rate":    rate,
		"tally":   tally,
		"speed":   speed,
		"percent": figure.Percent,
		"path":    Path,
		"remedies": func(all []progress.Reason) bool {
			return slices.ContainsFunc(all, func(r progress.Reason) bool { return r.Remedy != "" })
		},
		"zone": func() string { return time.Now().Format("MST (UTC-07:00)") },
	}
}

// Path writes the name of a batch as the end of an address.
func Path(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// number writes a number with spaces between thousands, or - for 0.
func number(n any) string {
	var v int64
	switch n := n.(type) {
	case int:
		v = int64(n)
	case int64:
		v = n
	case uint64:
		v = int64(n)
	case float64:
		v = int64(math.Round(n))
	}
	if v == 0 {
		return "-"
	}
	text := strconv.FormatInt(v, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// tally writes a number as number does, and 0 for none.
func tally(n any) string {
	if text := number(n); text != "-" {
		return text
	}
	return "0"
}

// speed writes a number of bytes a second, or - for none.
func speed(n float64) string { return figure.Size(int64(math.Round(n))) }

// rate writes how many there are a second, or - for none.
func rate(n float64) string {
	if n == 0 {
		return "-"
	}
	if n >= 1000 {
		return number(n)
	}
	return strconv.FormatFloat(n, 'g', 3, 64)
}

// nav lists the pages of a crawl that have the same place in each page.
func nav() []link {
	return []link{{"", "Overview"}, {"flow", "Flow"}, {"tx", "Transactions"}, {"queues", "Queues"},
		{"products", "Products"}, {"report", "Report"}}
}
