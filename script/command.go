package script

import (
	"fmt"
	"slices"
	"strings"
)

// A Command is the command line of a stage, of a service, or of a program that verifies files: the
// batches of a queue, or the segments of a state. A verifier exits with 0 if the files are valid.
type Command struct {
	Program     string // first word as written; "bash" for shell
	ProgramPath string // where the Finder found it; Program itself without a Finder

	words [][]part // a shell command has one: the text for bash
	shell bool
}

// A part of a word is text, or a placeholder if name is set.
type part struct {
	text string
	name string
	at   int // offset in the script
}

// all returns every placeholder in order.
func (c *Command) all() []part {
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

// Names reports whether the command line names a placeholder.
func (c *Command) Names(placeholder string) bool {
	return slices.ContainsFunc(c.all(), func(p part) bool { return p.name == placeholder })
}

// Argv returns the command line of one run; the program's path is its first word. value returns the
// values of a placeholder: several strings for "in", one for any other. A value is never split.
// Only a word that is exactly {in} becomes one word for each value. In text for bash each value is
// quoted.
func (c *Command) Argv(value func(placeholder string) []string) []string {
	argv := []string{c.ProgramPath}
	if c.shell {
		quoted := func(name string) (all []string) {
			for _, v := range value(name) {
				all = append(all, shellQuote(v))
			}
			return all
		}
		return append(argv, "-euo", "pipefail", "-c", fillWord(c.words[0], quoted))
	}
	for _, word := range c.words[1:] {
		if len(word) == 1 && word[0].name == "in" {
			argv = append(argv, value("in")...)
		} else {
			argv = append(argv, fillWord(word, value))
		}
	}
	return argv
}

// fillWord fills the placeholders of a word.
func fillWord(word []part, value func(string) []string) string {
	var b strings.Builder
	for _, p := range word {
		if p.name != "" {
			b.WriteString(strings.Join(value(p.name), " "))
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// shellQuote quotes a value for bash, so that it is one word whatever it holds.
func shellQuote(v string) string {
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}

// checkQuoted returns an error for each placeholder in text for bash that is inside quotes. Its
// value is quoted already, and a second pair of quotes would cancel the first.
func checkQuoted(text string, parts []part) (errs []textError) {
	for _, p := range parts {
		end := p.at + len(p.name) + 2
		if p.name == "" || p.at == 0 || end >= len(text) {
			continue
		}
		if q := text[p.at-1]; (q == '"' || q == '\'') && text[end] == q {
			msg := fmt.Sprintf("quotes around {%s}: values are quoted for bash already; "+
				"a brace of bash or awk itself is written {{ or }}", p.name)
			errs = append(errs, textError{p.at, "{" + p.name + "}", msg})
		}
	}
	return errs
}
