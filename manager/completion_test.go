package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"multitext/manager/internal/complete"
)

// What completes a line, of which | is the cursor. SCRIPT is the script of the recorded crawl.
func TestCompletion(t *testing.T) {
	r := newRecorded(t)
	r.write("vars.toml", "flow = 1\ndir = \"crawl/{node}\"\n[vars]\nnode = \"\"\n"+
		"[stage.once]\nevery = \"1h\"\nout = \"a\"\nrun = \"x {a} {node}\"\n[stage.more]\nin = \"a\"\nrun = \"x {in}\"\n")
	_, rest, _ := strings.Cut(recordedFlow, "[stage.two]")
	_, rest, _ = strings.Cut(rest, "[stage.three]")
	r.write("hostile.toml", "[vars]\ngood = \"\"\n\"$(touch x)\" = \"\"\n\"a b\" = \"\"\n\"c\\u0007\" = \"\"\n")
	r.write("less.toml", strings.Replace(recordedFlow, recordedFlow[strings.Index(recordedFlow, "[stage.two]"):],
		"[stage.three]"+rest, 1))
	const files, scripts = ":files", ":files toml"
	for line, want := range map[string]string{
		"st|":                               "status",
		"st| SCRIPT":                        "status",
		"nonsense |":                        "",
		"why |":                             scripts,
		"why SCRIPT |":                      "one two three",
		"why SCRIPT t|":                     "two three",
		"why SCRIPT two |":                  "",
		"why -json SCRIPT o|":               "one",
		"why none.toml |":                   "",
		"log -st|":                          "-stage",
		"log --st|":                         "--stage",
		"log -stage | SCRIPT":               "one two three",
		"log SCRIPT -stage tw|":             "two",
		"log -no-such-flag SCRIPT -stage |": "one two three",
		"retry 'SCRIPT' |":                  "one two three",
		"show SCRIPT |":                     "7 6 5 4 3 2 1",
		"ls SCRIPT |":                       "a b away",
		"add SCRIPT a |":                    files,
		"add SCRIPT a FILE |":               files,
		"cat |":                             files,
		"cat BATCH |":                       files,
		"cat SCRIPT |":                      "a/ b/",
		"cat SCRIPT a/|":                    second + " " + third,
		"cat SCRIPT " + second + " a/|":     third,
		"drop -why x SCRIPT b/|":            made,
		"drop -why |":                       "",
		"forget SCRIPT |":                   "",
		"forget LESS |":                     "two",
		"run -var | HOSTILE":                "good=",
		"graph -o m|":                       "mermaid",
		"graph -o=text |":                   scripts,
		"run -var | VARS":                   "node=",
		"run VARS -var n|":                  "node=",
		"why VARS |":                        "",
		"why -var node=x VARS |":            "once more",
		"why -var node = x VARS |":          "once more", // as bash takes it apart
		"why -var=node=x VARS |":            "once more",
		"help j|":                           "json",
		"help lo|":                          "log",
		"completion |":                      "bash zsh fish",
	} {
		line = strings.NewReplacer("SCRIPT", r.path("crawl.toml"), "VARS", r.path("vars.toml"),
			"LESS", r.path("less.toml"), "HOSTILE", r.path("hostile.toml")).Replace(line)
		before, _, _ := strings.Cut(line, "|")
		n := strings.Count(before, " ") + 1
		args := append([]string{complete.Hidden, fmt.Sprint(n)}, strings.Split(strings.Replace(line, "|", "", 1), " ")...)
		var out bytes.Buffer
		if code := (&invocation{out: &out, err: &out}).run(args); code != 0 {
			t.Errorf("%s: exit code %d", line, code)
		}
		var got []string
		for l := range strings.Lines(out.String()) {
			text, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\nis completed by %q, want %q", line, got, want)
		}
	}
}

// Every verb, and every flag of each, is offered; and every argument that a usage line shows is of
// a kind that is known.
func TestCompletionKnowsEveryVerb(t *testing.T) {
	kinds := strings.Fields("SCRIPT STAGE QUEUE TX BATCH FILE NAME SHELL VERB")
	for _, v := range completed().Verbs {
		for word := range strings.FieldsSeq(v.Args) {
			kind := strings.TrimSuffix(strings.Trim(word, "[]"), "...")
			if !strings.HasPrefix(kind, "-") && !slices.Contains(kinds, kind) {
				t.Errorf("%s has an argument %s", v.Name, kind)
			}
		}
		if _, there := v.Choices["SHELL"]; v.Flags() == nil || !there && v.Name != "help" {
			t.Errorf("%s has no flags or choices", v.Name)
		}
	}
}
