package main

import (
	"fmt"
	"strings"

	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/suggest"
)

// parser collects rules and all errors in them.
type parser struct {
	rules scope
	errs  []error
}

// word is a word of a rules file and its position.
type word struct {
	text      string
	file      string
	line, col int // counted from 1; col in bytes
}

func (p *parser) fail(w word, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: %s", w.file, w.line, w.col, fmt.Sprintf(format, args...)))
}

// parse adds the rules of text.
func (p *parser) parse(file, text string) {
	var rule []word
	n := 0
	for line := range strings.Lines(text) {
		n++
		words := split(file, n, line)
		if len(words) == 0 {
			continue
		}
		if words[0].col == 1 {
			p.rule(rule)
			rule = nil
		}
		rule = append(rule, words...)
	}
	p.rule(rule)
}

// split returns the words of a line up to a comment.
func split(file string, n int, line string) []word {
	var words []word
	for at := 0; at < len(line); {
		if strings.IndexByte(" \t\r\n", line[at]) >= 0 {
			at++
			continue
		}
		if line[at] == '#' {
			break
		}
		text := line[at:]
		if end := strings.IndexAny(text, " \t\r\n"); end >= 0 {
			text = text[:end]
		}
		words = append(words, word{text, file, n, at + 1})
		at += len(text)
	}
	return words
}

// rule parses words as one rule and adds it.
func (p *parser) rule(words []word) {
	if len(words) == 0 {
		return
	}
	first := words[0]
	if first.text != "keep" && first.text != "reject" {
		hint := suggest.Hint(first.text, []string{"keep", "reject"})
		p.fail(first, "a rule begins with keep or reject, not with %q%s", first.text, hint)
		return
	}
	r := &rule{place: fmt.Sprintf("%s:%d", first.file, first.line), text: strings.Join(texts(words), " "),
		keep: first.text == "keep"}
	rest, name, ok := p.as(words[1:], r.keep)
	if !ok {
		return
	}
	for _, part := range cut(rest) {
		c, ok := p.condition(first, part)
		if !ok {
			return
		}
		r.conditions = append(r.conditions, c)
	}
	if r.name = name; name == "" {
		r.name = r.conditions[0].reason()
	}
	if n := len(p.rules); n > 0 && p.rules[n-1].all() {
		p.fail(first, "this rule is never reached: %s decides every URL (%s)", p.rules[n-1].text, p.rules[n-1].place)
		return
	}
	p.rules = append(p.rules, r)
}

// reason returns the name of a rule without "as".
func (c *condition) reason() string {
	if c.kind.name == "all" {
		return "out-of-scope"
	}
	if c.not {
		return "not-" + c.kind.name
	}
	return c.kind.name
}

// as removes "as NAME" from the end of words.
func (p *parser) as(words []word, keep bool) (rest []word, name string, ok bool) {
	for i, w := range words {
		if w.text != "as" {
			continue
		}
		switch {
		case len(words) != i+2:
			p.fail(w, `"as" is followed by one name, the last word of the rule`)
		case keep:
			p.fail(w, "only a reject rule may have a name")
		case !report.ValidName(words[i+1].text):
			p.fail(words[i+1], "the name %q may contain only a-z, 0-9 and -", words[i+1].text)
		default:
			return words[:i], words[i+1].text, true
		}
		return nil, "", false
	}
	return words, "", true
}

// cut splits words at every "and".
func cut(words []word) [][]word {
	parts := [][]word{nil}
	for _, w := range words {
		if w.text == "and" {
			parts = append(parts, nil)
		} else {
			parts[len(parts)-1] = append(parts[len(parts)-1], w)
		}
	}
	return parts
}

// condition parses one condition of the rule that begins with first.
func (p *parser) condition(first word, words []word) (condition, bool) {
	c := condition{text: strings.Join(texts(words), " ")}
	if len(words) > 0 && words[0].text == "not" {
		c.not, words = true, words[1:]
	}
	if len(words) == 0 {
		p.fail(first, "a condition is missing: %s %s … (see -h for the kinds)", first.text, "host example.org")
		return c, false
	}
	name := words[0]
	for _, k := range kinds() {
		if k.name == name.text {
			c.kind = &k
		}
	}
	if c.kind == nil {
		p.fail(name, "unknown kind %q%s", name.text, suggest.Hint(name.text, kindNames()))
		return c, false
	}
	args := words[1:]
	if (len(args) == 0) != (c.kind.name == "all") || c.kind.name == "all" && c.not {
		p.fail(name, "write %s", c.kind.usage)
		return c, false
	}
	var err error
	if c.match, err = c.kind.compile(texts(args)); err != nil {
		at := args[0]
		if bad, ok := err.(*argError); ok {
			at = args[bad.index]
		}
		p.fail(at, "%v", err)
	}
	return c, err == nil
}

// checkEnd checks that the last rule decides every URL.
func (p *parser) checkEnd() {
	if len(p.errs) > 0 {
		return
	}
	last := p.rules[len(p.rules)-1]
	if !last.all() {
		p.errs = append(p.errs, fmt.Errorf(
			`%s: after %q, say what happens to all other URLs: "keep all" or "reject all"`, last.place, last.text))
	}
}
