package stage

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"
)

// TestVerbs holds that the first argument chooses the verb, and that the flags behind it belong to
// the verb.
func TestVerbs(t *testing.T) {
	setup := func(fs *flag.FlagSet) Body {
		word := fs.String("word", "", "say `WORD`")
		return func(_ context.Context, env *Env) error {
			env.NoReport = true
			_, err := env.Stdout.Write([]byte(*word))
			return err
		}
	}
	verbs := []Verb{{"say", Tool{Name: "toy say", Short: "says a word", Formats: []string{"words 7"}}, setup},
		{"fall", Tool{Name: "toy fall", Short: "falls", Formats: []string{"falls 8"}}, setup}}
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string // a part of each
	}{
		{[]string{"say", "-word", "mama"}, ExitDone, "mama", ""},
		{[]string{CheckArguments, "say", "-x"}, ExitUsage, "", "toy say -h shows the flags"},
		{[]string{"say", "-h"}, ExitDone, "usage: toy say [flags]", ""},
		{[]string{"say", "-x"}, ExitUsage, "", "toy say -h shows the flags"},
		{[]string{"-h"}, ExitDone, "  fall       falls\n", ""},
		{[]string{"help"}, ExitDone, "toy: a toy\n\nusage: toy VERB", ""},
		{[]string{"-version"}, ExitDone, "formats  words 7, falls 8\n", ""},
		{nil, ExitUsage, "", "usage: toy VERB"},
		{[]string{"sing\x1b"}, ExitUsage, "", `toy: unknown verb "sing\x1b"` + "\ntoy -h shows the flags"},
		{[]string{"fal"}, ExitUsage, "", `toy: unknown verb "fal"; did you mean "fall"?`},
	} {
		var stdout, stderr bytes.Buffer
		code := runVerbs(t.Context(), "toy", "a toy", verbs, c.args, strings.NewReader(""), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) ||
			!strings.Contains(stderr.String(), c.stderr) ||
			(c.stdout == "") != (stdout.Len() == 0) || (c.stderr == "") != (stderr.Len() == 0) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", c.args, code, &stdout, &stderr)
		}
	}
}
