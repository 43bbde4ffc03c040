package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"multitext/manager/internal/progress"
	"multitext/manager/internal/view"
)

// shellCommand is a run's command line for pasting into bash, its inputs filled
// in again: the log leaves them out of it because it names them elsewhere.
func shellCommand(t *view.Transaction, root string) string {
	var in []string
	for _, i := range t.Inputs {
		in = append(in, shellWord(filepath.Join(root, i.Name)))
	}
	files := strings.Join(in, " ")
	shell := len(t.Command) == 5 && t.Command[3] == "-c"
	var words []string
	for i, word := range t.Command {
		switch {
		case word == "{in}" && !shell:
			words = append(words, in...)
		case shell && i == 4:
			words = append(words, shellWord(strings.ReplaceAll(word, "'{in}'", files)))
		default:
			words = append(words, shellWord(word))
		}
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word where bash would take it apart, and in such a way that
// nothing in it reaches a terminal raw. Line ends stay: a script's shell text
// has them.
func shellWord(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	if lines := strings.ReplaceAll(w, "\n", ""); progress.Printable(lines) == lines {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}
