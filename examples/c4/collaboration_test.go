package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two crawlers with a manager of a few lines of shell: whatever the real one does, the runner
// starts it when something waits, and ends when nothing does.
func TestUntilQuiet(t *testing.T) {
	// While a works, b comes to its end; so what a sends then is taken by another run of b alone.
	const sends = "if [ $node = a ] && [ ! -e sent ]; then until [ -e seen ]; do sleep 0.05; done; touch sent; " +
		"mkdir -p crawl/a/outgoing/b; echo x > crawl/a/outgoing/b/1; fi\n"
	for _, tc := range []struct {
		name, manager string
		err           string
		starts        string // of a and b
	}{
		{"nothing to do", "", "", "a1 b1"},
		{"a batch is taken", sends + "if [ $node = b ]; then rm -f crawl/a/outgoing/b/1; touch seen; fi\n", "",
			"a1 b2"},
		{"a batch is taken in the second run",
			sends + "if [ $node = b ]; then [ ! -e twice ] || rm -f crawl/a/outgoing/b/1; " +
				"[ ! -e seen ] || touch twice; touch seen; fi\n", "", "a1 b3"},
		{"a batch is not taken", sends + "touch seen\n", "b does not take 1 batches", "a1 b3"},
		{"half-written", "mkdir -p crawl/a/outgoing/b; echo x > crawl/a/outgoing/b/.1\n", "", "a1 b1"},
		{"a batch is for nobody", "mkdir -p crawl/a/outgoing/c; echo x > crawl/a/outgoing/c/1\n",
			`1 batches wait for "c"`, "a1 b1"},
		{"a limit", "mkdir -p crawl/a/outgoing/b; echo x > crawl/a/outgoing/b/1; if [ $node = b ]; then exit 7; fi\n", "",
			"a1 b1"},
		{"another manager", "if [ $node = b ] && [ ! -e held ]; then touch held; exit 3; fi\n", "", "a1 b2"},
		{"a bad script", "if [ $node = b ]; then exit 2; fi\n", "the manager of b: exit status 2", "a1 b1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := &options{folder: t.TempDir(), looks: 10 * time.Millisecond}
			o.bin = o.path("bin")
			script := "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\nnode=${3#node=}\necho $node >> starts\n" +
				"[ \"$7\" = looks=10ms ] || exit 1\n" + tc.manager
			if err := os.Mkdir(o.bin, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(o.bin, "manager"), []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			c := newCollaboration(o, []string{"a", "b"}, io.Discard)
			c.tick = 20 * time.Millisecond
			err := c.untilQuiet(t.Context())
			if tc.err == "" && err != nil || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("it ended with %v, want %q", err, tc.err)
			}
			text, err := os.ReadFile(o.path("starts"))
			if err != nil {
				t.Fatal(err)
			}
			count := func(node string) string {
				return node + string(rune('0'+strings.Count(string(text), node+"\n")))
			}
			if got := count("a") + " " + count("b"); got != tc.starts {
				t.Errorf("starts %s, want %s", got, tc.starts)
			}
		})
	}
}
