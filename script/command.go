package script

import (
	"fmt"
	"slices"
	"strings"
)

// A command is a command line cut into words, and the words into parts. A
// shell command is one word, the text for bash.
type command struct {
	words [][]part
	shell bool
}

// A part of a word is text, or a placeholder when it has a name.
type part struct {
	text string
	name string
	at   int // offset in the script
}

// isPlaceholder reports whether a word is exactly one placeholder.
func isPlaceholder(word []part, name string) bool {
	return len(word) == 1 && word[0].name == name
}

// program returns the first word as written, "" when there is none.
func (c command) program() string {
	if c.shell {
		return "bash"
	}
	if len(c.words) == 0 || len(c.words[0]) == 0 {
		return ""
	}
	return c.words[0][0].text
}

// all returns every placeholder in order.
func (c command) all() []part {
	var all []part
	for _, word := range c.words {
		for _, p := range word {
			if p.name != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// placeholders returns the names of the placeholders, each once.
func (c command) placeholders() []string {
	var names []string
	for _, p := range c.all() {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// argv fills the placeholders in. A value never splits: only a word that is
// {in} alone becomes as many words as it has values.
func (c command) argv(program string, value func(string) []string) []string {
	argv := []string{program}
	if c.shell {
		return append(argv, "-euo", "pipefail", "-c", fillShell(c.words[0], value))
	}
	for _, word := range c.words[1:] {
		if isPlaceholder(word, "in") {
			argv = append(argv, value("in")...)
			continue
		}
		var b strings.Builder
		for _, p := range word {
			if p.name != "" {
				b.WriteString(strings.Join(value(p.name), " "))
			}
			b.WriteString(p.text)
		}
		argv = append(argv, b.String())
	}
	return argv
}

// fillShell fills placeholders into text for bash, each value quoted.
func fillShell(text []part, value func(string) []string) string {
	var b strings.Builder
	for _, p := range text {
		b.WriteString(p.text)
		if p.name == "" {
			continue
		}
		for i, v := range value(p.name) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(shellQuote(v))
		}
	}
	return b.String()
}

// shellQuote quotes a value for bash, so that it is one word whatever it holds.
func shellQuote(v string) string {
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}

// cutParts cuts text into parts: {NAME} is a placeholder, {{ and }} are braces.
// The offset of a part is its offset in text.
func cutParts(text string) ([]part, *textError) {
	var parts []part
	plain, begin := strings.Builder{}, 0
	flush := func() {
		if plain.Len() > 0 {
			parts = append(parts, part{text: plain.String(), at: begin})
			plain.Reset()
		}
	}
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			plain.WriteByte(rest[0])
			at += 2
		case rest[0] == 0:
			return nil, &textError{at, "", "a NUL byte, which no command line can hold"}
		case rest[0] == '}':
			return nil, &textError{at, "}", `a "}" alone; a literal brace is written "}}"`}
		case rest[0] == '{':
			name, _, closed := strings.Cut(rest[1:], "}")
			if !closed || !isPlaceholderName(name) {
				return nil, &textError{at, "{", `a "{" that begins no placeholder; a literal brace is written "{{"`}
			}
			flush()
			parts = append(parts, part{name: name, at: at})
			at += len(name) + 2
			begin = at
		default:
			plain.WriteByte(rest[0])
			at++
		}
	}
	flush()
	return parts, nil
}

// isPlaceholderName is generous, so that {Foo} and {foo-bar} are reported as
// unknown names with their near ones, and not as stray braces.
func isPlaceholderName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	return name != "" && len(name) <= 64 && strings.Trim(name, letters) == ""
}

// checkQuoted tells whether a placeholder in text for bash has quotes around
// it: its value is quoted already, and a second pair would undo the first.
func checkQuoted(text string, parts []part) *textError {
	for _, p := range parts {
		end := p.at + len(p.name) + 2
		if p.name == "" || p.at == 0 || end >= len(text) {
			continue
		}
		if q := text[p.at-1]; (q == '"' || q == '\'') && text[end] == q {
			msg := fmt.Sprintf("quotes around {%s}: values are quoted for bash already; a brace of bash or awk itself is written {{ or }}", p.name)
			return &textError{p.at, "{" + p.name + "}", msg}
		}
	}
	return nil
}
