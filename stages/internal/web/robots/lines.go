package robots

import (
	"iter"
	"strings"
)

// A directive is what a line says, its value without blanks around it.
type directive struct {
	key   key
	value string
}

type key int

const (
	userAgent key = iota
	allow
	disallow
	sitemap
	crawlDelay
)

// spellings are how keys are written; what begins with one is that key. The wrong ones are common,
// and Google's parser takes them, too: who writes "disalow" wants to forbid.
var spellings = []struct {
	key   key
	names []string
}{
	{disallow, []string{"disallow", "dissallow", "dissalow", "disalow", "diaslow", "diasllow", "disallaw"}},
	{allow, []string{"allow"}},
	{userAgent, []string{"user-agent", "useragent", "user agent"}},
	{sitemap, []string{"sitemap", "site-map"}},
}

// maxLine is how many bytes of a line count, eight times the longest URL of some browsers, as in
// Google's parser.
const maxLine = 2083*8 - 1

// directives returns the lines of a robots.txt that say something, by their numbers. A line ends
// with CR, LF or both; a byte order mark is skipped, and so is the beginning of one, as by Google's
// parser.
func directives(text string) iter.Seq2[int, directive] {
	return func(yield func(int, directive) bool) {
		const mark = "\ufeff"
		for i := 0; i < len(mark) && text != "" && text[0] == mark[i]; i++ {
			text = text[1:]
		}
		for n := 1; text != ""; n++ {
			var line string
			line, text = cutLine(text)
			if d, ok := parseLine(line[:min(len(line), maxLine)]); ok && !yield(n, d) {
				return
			}
		}
	}
}

func cutLine(text string) (line, rest string) {
	end := strings.IndexAny(text, "\r\n")
	if end < 0 {
		return text, ""
	}
	line, rest = text[:end], text[end+1:]
	if text[end] == '\r' {
		rest = strings.TrimPrefix(rest, "\n")
	}
	return line, rest
}

const blanks = " \t\v\f"

// parseLine reads KEY:VALUE, and a comment behind it. Some forget the colon, so two words are a
// line, too.
func parseLine(line string) (d directive, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Trim(line, blanks)
	name, value, colon := strings.Cut(line, ":")
	if !colon {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return d, false
		}
		name, value = line[:i], line[i:]
	}
	d.value = strings.Trim(value, blanks)
	if !colon && strings.ContainsAny(d.value, " \t") {
		return d, false
	}
	d.key, ok = keyOf(strings.Trim(name, blanks))
	return d, ok
}

func keyOf(name string) (k key, ok bool) {
	for _, s := range spellings {
		for _, spelling := range s.names {
			if len(name) >= len(spelling) && strings.EqualFold(name[:len(spelling)], spelling) {
				return s.key, true
			}
		}
	}
	return crawlDelay, strings.EqualFold(name, "crawl-delay")
}
