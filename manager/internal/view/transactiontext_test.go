package view

import (
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// What show prints as a command does, in bash, what the run did: each word comes
// out as it went in, and nothing in it reaches a terminal raw.
func TestShellCommandSurvivesBash(t *testing.T) {
	words := []string{"plain", "", "two words", "it's", `back\slash`, "$HOME `id` $(id)", "a\nb", "tab\t",
		"\x1b[31mred", "é", "\xff'\\n", "*", "~", "{in}", "\u202eevil"}
	tx := &Transaction{
		root:    "/crawl",
		folder:  "/",
		Command: append([]string{"printf", `%s\0`}, words...),
		Inputs:  []Input{{Name: "q/one"}, {Name: "q/two words"}},
	}
	text := tx.Shell()
	if strings.ContainsAny(text, "\x1b\t\xff") || strings.Contains(text, "\u202e") {
		t.Errorf("%q would reach a terminal raw", text)
	}
	got, err := crash.Bounded(t, "bash", "-c", text).Output()
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var want []string
	for _, w := range words {
		if w == "{in}" {
			want = append(want, "/crawl/q/one", "/crawl/q/two words")
			continue
		}
		want = append(want, w)
	}
	if string(got) != strings.Join(want, "\x00")+"\x00" {
		t.Errorf("bash makes %q of it, want %q", got, want)
	}
}

// In shell text the log leaves the inputs out as a quoted word.
func TestShellCommandFillsShellText(t *testing.T) {
	tx := &Transaction{
		root:    "/crawl",
		folder:  "/",
		Command: []string{"/bin/bash", "-euo", "pipefail", "-c", "echo '{in}' \\\n | tr a-z A-Z"},
		Inputs:  []Input{{Name: "q/one"}, {Name: "q/it's"}},
	}
	got, err := crash.Bounded(t, "bash", "-c", tx.Shell()).Output()
	if want := "/CRAWL/Q/ONE /CRAWL/Q/IT'S\n"; err != nil || string(got) != want {
		t.Errorf("bash makes %q of it, want %q; %v", got, want, err)
	}
}
