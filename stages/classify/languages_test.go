package main

import (
	"strings"
	"testing"

	"multitext/stages/internal/sharing/nodes"
)

// TestLanguagesOf: which labels ask for languages, and which would be of two minds or of no use.
func TestLanguagesOf(t *testing.T) {
	for _, c := range []struct {
		labels, topics string
		asked, named   bool
		err            string
	}{
		{"arts sport", "arts sport", false, false, ""},
		{"arts foreign", "arts", true, false, ""},
		{"arts de foreign", "arts", true, true, ""},
		{"arts de", "arts", true, true, ""},
		{"arts it", "arts it", false, false, ""}, // no language is asked for: nobody is misled
		{"arts it foreign", "arts it", false, false, `the topic "it" of the model is the code of a language`},
		{"arts it de", "arts it", false, false, `the topic "it" of the model is the code of a language`},
		{"arts foreign", "arts foreign", false, false, `a topic of the model is "foreign"`},
		{"arts gr", "arts", false, false,
			`the node "n" owns the label "gr", which is neither a topic nor a language that is recognized (af am `},
		{"arts sprot", "arts sport", false, false,
			`the node "n" owns the label "sprot", which is neither a topic nor a language that is recognized (af am`},
		{"26 27", "26 27", false, false, ""},
		{"26 word", "", false, false, ""}, // what no classifier may ever say does no harm
		{"it foreign", "", true, true, ""},
	} {
		file := "nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"n\"\nlabels = [\"" +
			strings.ReplaceAll(c.labels, " ", "\", \"") + "\"]\n"
		set, err := nodes.Parse("nodes.toml", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		asked, named, err := languagesOf(set, strings.Fields(c.topics))
		if asked != c.asked || named != c.named || (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("labels %q, topics %q: asked %v, named %v, %v", c.labels, c.topics, asked, named, err)
		}
	}
}
