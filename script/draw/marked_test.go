package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/script"
)

// TestMarked: marks are at their boxes and arrows, whatever their texts are, and the layout is that
// of the picture without marks. The svg element has no style of its own.
func TestMarked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "flow.toml")
	os.WriteFile(path, []byte("flow = 1\ndir = \"crawl\"\nseeds = { a = \"seeds\" }\n"+
		"[stage.one]\nin = \"a\"\nout = \"b\"\nrun = \"cp {in} {b}\"\n"), 0o666)
	s, err := script.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var bare, marked strings.Builder
	if err := Marked(&bare, s, nil); err != nil {
		t.Fatal(err)
	}
	marks := &Marks{
		Stages: map[string]Mark{"one": {Class: "lit", Title: `<"one">`, Link: `/s?"<`, Text: "7 & more"}},
		Queues: map[string]Mark{"a": {Fill: 0.5, Weight: 3, Link: "/a"}},
	}
	if err := Marked(&marked, s, marks); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<a href="/s?&#34;&lt;"><g><title>&lt;&#34;one&#34;&gt;</title><rect class="stage lit"`,
		`>7 &amp; more</text>`, `<rect class="fill"`, `class="link w3 lit"`, `<a href="/a"><g><title>queue a`,
	} {
		if !strings.Contains(marked.String(), want) {
			t.Errorf("no %s in\n%s", want, &marked)
		}
	}
	for _, text := range []string{bare.String(), marked.String()} {
		if strings.Contains(text, "style") {
			t.Errorf("a style in\n%s", text)
		}
		in := xml.NewDecoder(strings.NewReader(text))
		for err = nil; err == nil; {
			_, err = in.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("no XML: %v", err)
		}
	}
	box := `viewBox="`
	if a, b := strings.Split(bare.String(), box)[1], strings.Split(marked.String(), box)[1]; a[:20] != b[:20] {
		t.Errorf("the size changes from %s to %s", a[:20], b[:20])
	}
}
