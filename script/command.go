package script

import (
	"fmt"
	"slices"
	"strings"
)

// A Command is the command line of a stage, of a service, or of a program that verifies files. Such a
// program looks into files of one kind: the batches of a queue, or the segments of a state. It exits
// with 0 when they are whole.
type Command struct {
	Program     string // first word as written; "bash" for shell
	ProgramPath string // where the Finder found it; Program itself without a Finder

	words [][]part // of a shell command one, the text for bash
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

// Placeholders returns the names that the command line uses, each once, by first use.
func (c *Command) Placeholders() []string {
	var names []string
	for _, p := range c.all() {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// Argv returns the command line of one run, the program's path first. value gives what stands for a
// placeholder: several strings for "in", one for any other. A value never splits: only a word that is
// {in} alone becomes as many words as it has values. In text for bash each value is quoted.
func (c *Command) Argv(value func(placeholder string) []string) []string {
	argv := []string{c.ProgramPath}
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

// checkQuoted tells whether a placeholder in text for bash has quotes around
// it: its value is quoted already, and a second pair would undo the first.
func checkQuoted(text string, parts []part) (errs []textError) {
	for _, p := range parts {
		end := p.at + len(p.name) + 2
		if p.name == "" || p.at == 0 || end >= len(text) {
			continue
		}
		if q := text[p.at-1]; (q == '"' || q == '\'') && text[end] == q {
			msg := fmt.Sprintf("quotes around {%s}: values are quoted for bash already; a brace of bash or awk itself is written {{ or }}", p.name)
			errs = append(errs, textError{p.at, "{" + p.name + "}", msg})
		}
	}
	return errs
}
