package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// An answer is what stands in a page batch: a line of a URL batch, and what the server sent. With a
// body of unchanged it becomes a revisit.
type answer struct{ line, head, body string }

const (
	ok   = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8"
	text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain"

	unchanged = "is elsewhere"
)

// batch writes a page batch and returns its path.
func batch(t testing.TB, answers ...answer) string {
	t.Helper()
	var all []*warc.Exchange
	for _, a := range answers {
		x := stagetest.Answer(t, a.line, a.head+"\r\n\r\n"+a.body)
		if a.body == unchanged {
			x.Unchanged = &warc.Original{URL: x.Record.URL()}
		}
		all = append(all, x)
	}
	return stagetest.Pages(t, all...)
}

// records are the lines of the answers' URLs in a page batch; none if there is no such file.
func records(t testing.TB, path string) (lines []string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	stagetest.EachAnswer(t, path, func(r *warc.Reader, a *warc.Answer) {
		if r.Info() == nil {
			t.Errorf("%s has no warcinfo record in front", path)
		}
		lines = append(lines, string(a.Record().Line()))
	})
	return lines
}

// world is a collaboration of five crawlers, of which the tests are arts; the last one owns no
// label.
const world = `nodes = 1
url = "file:crawl/$FROM/outgoing/$TO"
[[node]]
name = "arts"
labels = ["Fine arts"]
[[node]]
name = "geology"
[[node]]
name = "world"
labels = ["foreign"]
[[node]]
name = "german"
labels = ["de"]
[[node]]
name = "rest"
labels = []
`

// worldFile writes nodes.toml.
func worldFile(t testing.TB, text string) string { return write(t, "nodes.toml", text) }

// write writes a file into a folder of its own.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// about is a page of some eighty words on a topic.
func about(topic string, seed int) string {
	words := strings.Fields(map[string]string{
		"arts":    "the painting of a gallery museum artist colour canvas sculpture drawing exhibition portrait brush museum painter",
		"geology": "the rock of a granite mountain volcano fossil sediment mineral quartz layer earthquake magma crystal basalt strata",
		"german":  "der stein und die erde sind nicht so alt wie das gebirge aber auch nicht jung denn es wurde schon früh gebaut",
		"french":  "la pierre et la terre ne sont pas aussi vieilles que la montagne mais elles ne sont pas jeunes non plus parce que",
	}[topic])
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title><script>var never = seen</script></head><body><p>",
		words[seed%len(words)])
	for i := range 80 {
		b.WriteString(words[(i*(seed+3)+i/7)%len(words)] + " ")
	}
	return b.String()
}

// worldModel trains a model of two topics, "Fine arts" and "geology".
func worldModel(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for topic, label := range map[string]string{"arts": "Fine arts", "geology": "geology"} {
		if err := os.Mkdir(filepath.Join(dir, label), 0o777); err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			if err := os.WriteFile(filepath.Join(dir, label, fmt.Sprintf("%d.html", i)), []byte(about(topic, i)),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "topics.model")
	must(t, trainVerb(), "", "-model", path, dir)
	return path
}

// must runs a verb that must succeed.
func must(t testing.TB, v stage.Verb, stdin string, args ...string) stagetest.Result {
	t.Helper()
	return stagetest.MustRun(t, v.Tool, v.Setup, stdin, args...)
}

// try runs a verb.
func try(t testing.TB, v stage.Verb, args ...string) stagetest.Result {
	t.Helper()
	return stagetest.Run(t, v.Tool, v.Setup, "", args...)
}
