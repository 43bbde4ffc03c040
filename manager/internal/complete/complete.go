// Package complete completes command lines of manager and window for bash, zsh and fish.
//
// [Script] prints what a shell needs: a function that calls the program with [Hidden] whenever the
// user presses Tab, as in
//
//	manager __complete 2 why examples/tour/crawl.toml
//
// The number says which of the words the cursor is in, counted from 1; the words after it are those
// behind the cursor. The program answers with a candidate a line: its text, and after a tab what it
// is. The line ":files" says that files complete the word, and ":files toml" that those with that
// extension do. The shell itself completes files, because it knows how to quote them.
//
// Flags, verbs and kinds of arguments are those that the program parses with, so the two
// cannot differ. Stages, queues and batches are those of the script that the line names.
//
// A candidate goes into the user's command line, and some shells do not quote it. So candidates
// with other characters than those of [plain] are left out, for instance a var whose name is a
// command.
package complete

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Hidden is the first argument of a program that is asked for candidates.
const Hidden = "__complete"

// A Program is a program whose command lines are completed.
type Program struct {
	Verbs []Verb // a program without verbs has one, with the name ""
}

// A Verb is a verb with its arguments, as the usage line shows them: SCRIPT [STAGE].
type Verb struct {
	Name, Short, Args string
	Flags             func() *flag.FlagSet
	Choices           map[string][]string // of an argument or of a flag's value, by its name in the usage
}

// A candidate may complete a word.
type candidate struct{ text, about string }

// Print answers a shell. args are those after Hidden.
func (p *Program) Print(w io.Writer, args []string) {
	n := 0
	if len(args) > 0 {
		n, _ = strconv.Atoi(args[0])
	}
	if n < 1 || n > len(args) {
		return
	}
	words := append(slices.Clone(args[1:]), "") // a shell may leave out an empty last word
	before := joined(words[:n-1])
	l := &line{word: words[n-1], behind: words[n:]}
	v := p.verb(&before)
	if v == nil {
		if len(before) == 0 {
			l.verbs(p)
		}
	} else {
		l.complete(v, before)
	}
	for _, c := range l.found {
		if strings.HasPrefix(c.text, l.word) && plain(c.text) {
			fmt.Fprintf(w, "%s\t%s\n", c.text, oneLine(c.about))
		}
	}
	if l.files != "" {
		fmt.Fprintln(w, l.files)
	}
}

// verb takes the verb from the words.
func (p *Program) verb(words *[]string) *Verb {
	if len(p.Verbs) == 1 && p.Verbs[0].Name == "" {
		return &p.Verbs[0]
	}
	if len(*words) == 0 {
		return nil
	}
	name := (*words)[0]
	*words = (*words)[1:]
	if i := slices.IndexFunc(p.Verbs, func(v Verb) bool { return v.Name == name }); i >= 0 {
		return &p.Verbs[i]
	}
	*words = []string{name} // an unknown verb has no arguments
	return nil
}

// joined undoes that bash takes NAME=VALUE and HOST:PORT apart, and removes quotes.
func joined(words []string) (out []string) {
	glue := false
	for _, w := range words {
		sign := w == "=" || w == ":"
		if (glue || sign) && len(out) > 0 {
			out[len(out)-1] += w
		} else {
			out = append(out, unquoted(w))
		}
		glue = sign
	}
	return out
}

// unquoted removes the quotes of a word that was typed, and replaces a ~/ at its beginning.
func unquoted(w string) string {
	if rest, ok := strings.CutPrefix(w, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			w = filepath.Join(home, rest)
		}
	}
	return strings.NewReplacer(`\\`, `\`, `\`, "", `"`, "", `'`, "").Replace(w)
}

// plain reports whether no shell changes a text.
func plain(text string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+"
	return text != "" && strings.Trim(text, safe) == ""
}

// oneLine returns the first sentence of a text, without control characters.
func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "; ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '`' {
			return -1
		}
		return r
	}, text)
}
