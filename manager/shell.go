package main

import (
	"path/filepath"
	"strings"

	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

// shellCommand is a run's command line for pasting into bash, its inputs filled
// in again: the log leaves them out of it because it names them elsewhere.
func shellCommand(t *view.Transaction, root string) string {
	var in []string
	for _, i := range t.Inputs {
		in = append(in, terminal.Word(filepath.Join(root, i.Name)))
	}
	files := strings.Join(in, " ")
	shell := len(t.Command) == 5 && t.Command[3] == "-c"
	var words []string
	for i, word := range t.Command {
		switch {
		case word == "{in}" && !shell:
			words = append(words, in...)
		case shell && i == 4:
			words = append(words, terminal.Word(strings.ReplaceAll(word, "'{in}'", files)))
		default:
			words = append(words, terminal.Word(word))
		}
	}
	return strings.Join(words, " ")
}
