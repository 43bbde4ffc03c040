package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a stranger's link come first, whose XXH64 is that of a victim's page.
func TestTwin(t *testing.T) {
	const victim = "http://victim.test/"
	twin := stagetest.Twin(t, "http://evil.test/", victim)
	meet := func() (fresh []string) {
		c := &crawl{dir: t.TempDir()}
		c.filter(t, stagetest.Write(t, "a.zst", twin))
		_, fresh = c.filter(t, stagetest.Write(t, "b.zst", victim))
		return fresh
	}
	if fresh := meet(); fresh != nil {
		t.Errorf("without a secret it is no twin: %q", fresh)
	}
	stagetest.Secret(t)
	if fresh := meet(); !slices.Equal(fresh, []string{victim}) {
		t.Errorf("the victim is hidden: %q", fresh)
	}
}

// TestSecretGone has the secret of a seen-set removed, and replaced by another: every URL would be
// new again.
func TestSecretGone(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	in := stagetest.Write(t, "a.zst", "http://a.test/")
	stagetest.Secret(t)
	c.filter(t, in)
	for _, file := range []string{"", stagetest.Write(t, "secret", "f00102030405060708090a0b0c0d0e0f"), "/nowhere"} {
		if os.Unsetenv(keyed.Variable); file != "" {
			os.Setenv(keyed.Variable, file) // Secret puts back what there was
		}
		r := stagetest.Run(t, tool(), setup, "", "-seen", c.list(), "-fresh", "-", in)
		if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, "the crawl's secret") || r.Stdout != "" {
			t.Errorf("with the secret %q: exit %d, %s%s", file, r.Code, r.Stdout, r.Stderr)
		}
	}
}
