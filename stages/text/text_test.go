package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

const (
	ok      = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	english = "The granite of the northern hills is older than the sea, and it has been cut by rivers for more than " +
		"a million years before anybody came to look at it."
	french = "La pierre de la montagne est plus vieille que la mer, et elle a été coupée par les rivières pendant " +
		"plus d'un million d'années avant que quelqu'un ne vienne la regarder."
)

func page(t testing.TB, line, head, body string) *warc.Exchange {
	return stagetest.Answer(t, line, head+"\r\n"+body)
}

// linesOf returns the lines of a file of texts.
func linesOf(t testing.TB, path string) (all []Line) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := eachLine(f, func(l *Line) error { all = append(all, *l); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReasons: what becomes of each kind of answer, and of what pages forbid.
func TestReasons(t *testing.T) {
	html := "<p>" + english
	meta := func(name, content string) string { return "<meta name=" + name + " content='" + content + "'>" + html }
	tag := func(value string) string { return ok + "X-Robots-Tag: " + value + "\r\n" }
	for _, c := range []struct{ name, head, body, args, want string }{
		{"a page", ok, html, "", "written"},
		{"of an error", "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n", html, "", "status-4xx"},
		{"a redirect", "HTTP/1.1 301 Moved\r\nLocation: /\r\n", html, "", "status-3xx"},
		{"an image", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n", html, "", "not-html"},
		{"a feed", "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n", "<rss>" + html, "", "not-html"},
		{"no HTTP", "SSH-2.0\r\n", "", "", "not-http"},
		{"a secret coding", ok + "Content-Encoding: x-secret\r\n", html, "", "encoding"},
		{"links alone", ok, "<a href=/>" + english, "", "no-text"},
		{"few words", ok, html, "-words 100", "short"},
		{"French", ok, "<p>" + french, "-language en,de", "other-language"},
		{"French that is wanted", ok, "<p>" + french, "-language en,fr", "written"},
		{"noai", tag("noai, noimageai"), html, "", "opt-out-noai"},
		{"noai in META", ok, meta("ROBOTS", "index, NoAI"), "", "opt-out-noai"},
		{"noimageai alone", tag("noimageai"), html, "", "written"},
		{"TDM", ok + "TDM-Reservation: 1\r\n", html, "", "opt-out-tdm"},
		{"TDM 0", ok + "TDM-Reservation: 0\r\n", html, "", "written"},
		{"TDM in META", ok, meta("tdm-reservation", "1"), "", "opt-out-tdm"},
		{"TDM of another case, with blanks", ok, meta("' TDM-Reservation '", " 1 "), "", "opt-out-tdm"},
		{"TDM twice", ok + "TDM-Reservation: 0\r\nTDM-Reservation:  1 \r\n", html, "", "opt-out-tdm"},
		{"noindex", tag("noindex"), html, "", "opt-out-noindex"},
		{"none", tag("none"), html, "", "opt-out-noindex"},
		{"noarchive", tag("noarchive"), html, "", "opt-out-noarchive"},
		{"nocache", tag("nocache"), html, "", "opt-out-noarchive"},
		{"the first of two", tag("noarchive, noai"), html, "", "opt-out-noai"},
		{"one that does not count", tag("noindex"), html, "-opt-out noai,tdm", "written"},
		{"none counts", tag("noai"), html, "-opt-out none", "written"},
		{"another crawler", tag("gptbot: noai"), html, "", "written"},
		{"another crawler that counts", tag("gptbot: noai"), html, "-agent mybot,GPTBot", "opt-out-noai"},
		{"a crawler by its User-Agent", ok, meta("mybot", "noai"), "-agent MyBot/1.0(test,+http://a.test/),GPTBot",
			"opt-out-noai"},
		{"another crawler's META", ok, meta("ccbot", "noindex"), "-agent CCBot", "opt-out-noindex"},
	} {
		in, out := stagetest.Pages(t, page(t, "http://a.test/", c.head, c.body)), filepath.Join(t.TempDir(), "x.jsonl")
		r := stagetest.MustRun(t, tool(), setup, "", append(strings.Fields("-jsonl "+out+" "+c.args), in)...)
		if !r.Has("in 1") || !r.Has("reason "+c.want+" 1") {
			t.Errorf("%s: want %s, report\n%s", c.name, c.want, r.Report)
		}
		if _, err := os.Stat(out); (err == nil) != (c.want == "written") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestOptOutOfOne: what one page forbids does not count for the next.
func TestOptOutOfOne(t *testing.T) {
	in := stagetest.Pages(t, page(t, "http://a.test/1", ok+"X-Robots-Tag: noai\r\n", "<p>"+english),
		page(t, "http://a.test/2", ok, "<p>"+english))
	out := filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", out, in).Wants(t, "reason written 1", "reason opt-out-noai 1")
	if l := linesOf(t, out); len(l) != 1 || l[0].URL != "http://a.test/2" {
		t.Errorf("%+v", l)
	}
}

// TestBest: what a tree of topics said of a page goes with its text.
func TestBest(t *testing.T) {
	in := stagetest.Pages(t, page(t, "http://a.test/\tbest=rocks%20old", ok, "<p>"+english))
	out := filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", out, in)
	if l := linesOf(t, out); l[0].Best != "rocks old" {
		t.Errorf("%+v", l)
	}
}

// TestRevisits: what has its body elsewhere has no text.
func TestRevisits(t *testing.T) {
	first := stagetest.Pack(t, page(t, "http://a.test/", ok, "<p>"+english))
	path := filepath.Join(t.TempDir(), "in.warc.gz")
	stagetest.WritePages(t, path, nil, first, stagetest.Revisit(t, first, warc.Original{URL: "http://a.test/"}))
	out := filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", out, path).Wants(t, "in 2", "reason written 1",
		"reason revisit 1")
}

// goldenPages are those of which testdata/v1 has the texts.
func goldenPages(t testing.TB) string {
	cut := page(t, "http://a.test/cut", ok, "<title>Cut</title><p>"+english+"<p>More of")
	cut.Truncated = "length"
	return stagetest.Pages(t,
		page(t, "http://a.test/rocks\tdepth=1\tlabel=geology\tsure=0.75\tscore=0.5\tworth=1\tnear=http://a.test/stones",
			ok,
			"<title>Old rocks &amp; <seas></title><nav><a href=/>Home</a></nav><h1>Old \"rocks\"</h1><p>"+
				english+"<p>End.\x1b[2J"),
		page(t, "http://a.test/fr\tnear=http://a.test/fr", ok, "<p>"+french),
		cut,
		page(t, "http://a.test/gone", "HTTP/1.1 404 No\r\n", ""))
}

var update = flag.Bool("update", false, "write the golden files anew: only for a new version")

// TestGolden: the texts are, byte for byte, those of testdata/v1, which later versions must be
// able to read.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	stagetest.MustRun(t, tool(), setup, "", "-jsonl", dir+"/texts.jsonl", "-wet", dir+"/texts.warc.gz", goldenPages(t)).
		Wants(t, "in 4", "reason written 3", "reason status-4xx 1")
	const golden = "testdata/v1/"
	if *update {
		for _, name := range []string{"texts.jsonl", "texts.warc.gz"} {
			data, _ := os.ReadFile(filepath.Join(dir, name))
			if err := os.WriteFile(golden+name, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, _ := os.ReadFile(dir + "/texts.jsonl")
	want, err := os.ReadFile(golden + "texts.jsonl")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	if got, want := unzipped(t, dir+"/texts.warc.gz"), unzipped(t, golden+"texts.warc.gz"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	stagetest.MustRun(t, tool(), setup, "", "-verify", golden+"texts.jsonl", golden+"texts.warc.gz")
}

// unzipped returns the records of a WARC file.
func unzipped(t testing.TB, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCompressed: -jsonl is compressed by its name, and -verify reads it.
func TestCompressed(t *testing.T) {
	plain := ""
	for _, ext := range []string{"", ".zst", ".gz"} {
		out := filepath.Join(t.TempDir(), "x.jsonl"+ext)
		stagetest.MustRun(t, tool(), setup, "", "-jsonl", out, goldenPages(t))
		data, _ := os.ReadFile(out)
		if text := fmt.Sprintf("%+v", linesOf(t, out)[1:]); plain == "" {
			plain = text
		} else if text != plain || bytes.HasPrefix(data, []byte("{")) {
			t.Errorf("%s: %s", ext, text)
		}
		stagetest.MustRun(t, tool(), setup, "", "-verify", out)
	}
}

// TestVerify: damage is told, with the line.
func TestVerify(t *testing.T) {
	good, err := os.ReadFile("testdata/v1/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	wet, err := os.ReadFile("testdata/v1/texts.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(wet)
	changed[len(changed)-20] ^= 1
	for _, c := range []struct {
		name, file string
		data       []byte
		want       string
	}{
		{"cut", "x.jsonl", good[:len(good)-9], "x.jsonl:3: "},
		{"no URL", "x.jsonl", []byte(`{"date":"2027-01-15T08:00:00.000Z","words":1,"text":"b"}`), "no url"},
		{"no words", "x.jsonl", []byte(`{"url":"a","date":"2027-01-15T08:00:00.000Z","text":"b"}`), "no words"},
		{"no text", "x.jsonl", []byte(`{"url":"a","date":"2027-01-15T08:00:00.000Z","words":1}`), "no text"},
		{"no date", "x.jsonl", []byte(`{"url":"a","words":1,"text":"b"}`), "date"},
		{"no share", "x.jsonl", bytes.Replace(good, []byte(`"sure":0.75`), []byte(`"sure":7.5`), 1), "want 0 to 1"},
		{"two in a line", "x.jsonl", bytes.Replace(good, []byte("\n"), nil, 1), "after top-level value"},
		{"a brace too many", "x.jsonl", bytes.Replace(good, []byte("}\n"), []byte("}}\n"), 1), "after top-level value"},
		{"cut zstd", "x.zst", []byte("\x28\xb5\x2f\xfd\x04"), "x.zst:1: "},
		{"changed WET", "x.warc.gz", changed, "damaged"},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		r := stagetest.Run(t, tool(), setup, "", "-verify", path)
		if r.Code == 0 || !strings.Contains(r.Stderr, c.want) {
			t.Errorf("%s: exit %d, %s, want %q", c.name, r.Code, r.Stderr, c.want)
		}
	}
}

// qualityModel trains a model that takes texts about rocks for good ones.
func qualityModel(t testing.TB, labels ...string) string {
	t.Helper()
	var training classify.Training
	var s terms.Splitter
	for i := range 20 {
		for k, text := range []string{"granite hills rivers sea years northern", "cheap pills casino bonus click win"} {
			words := strings.Fields(text)
			var d terms.Document
			d.Read(s.Text([]byte(strings.Join(append(words[i%3:], words[:3]...), " "))))
			if err := training.Add(labels[k], &d); err != nil {
				t.Fatal(err)
			}
		}
	}
	m, err := classify.Train(&training, classify.Options{Method: classify.Linear{Cost: 1}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "quality.model")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestQuality: a good text has a high quality, a bad one a low one, and -least drops it.
func TestQuality(t *testing.T) {
	bad := "<p>click to win a cheap bonus of the casino and cheap pills with the bonus of the casino, click and win " +
		"now or click again to win the bonus later"
	in := stagetest.Pages(t, page(t, "http://a.test/bad", ok, bad), page(t, "http://a.test/good", ok, "<p>"+english))
	model, out := qualityModel(t, "good", "bad"), filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", "-quality", model, "-jsonl", out, in).Wants(t, "reason written 2")
	if l := linesOf(t, out); *l[0].Quality > 0.4 || *l[1].Quality < 0.6 {
		t.Errorf("bad has %v, good %v", *l[0].Quality, *l[1].Quality)
	}
	out += "2"
	stagetest.MustRun(t, tool(), setup, "", "-quality", model, "-least", "0.5", "-jsonl", out, in).
		Wants(t, "reason written 1", "reason low-quality 1")
	if l := linesOf(t, out); len(l) != 1 || l[0].URL != "http://a.test/good" {
		t.Errorf("%+v", l)
	}
}

// TestOtherModels: a model that cannot tell good texts from others is refused.
func TestOtherModels(t *testing.T) {
	for _, labels := range [][]string{{"fine", "bad"}, {"good", "good"}} {
		r := stagetest.Run(t, tool(), setup, "", "-quality", qualityModel(t, labels...), "-jsonl", "x")
		if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, `train it with "good" and another one`) {
			t.Errorf("%q: exit %d, %s", labels, r.Code, r.Stderr)
		}
	}
}

// TestDigits: qualities have at most four digits, and texts between good and bad have one in between.
func TestDigits(t *testing.T) {
	var mixed []*warc.Exchange
	for i := range 40 {
		mixed = append(mixed, page(t, fmt.Sprintf("http://a.test/%d", i), ok,
			"<p>"+strings.Repeat("granite ", i)+strings.Repeat("casino ", 40-i)))
	}
	out, between := filepath.Join(t.TempDir(), "x.jsonl"), 0
	stagetest.MustRun(t, tool(), setup, "", "-quality", qualityModel(t, "good", "bad"), "-jsonl", out,
		stagetest.Pages(t, mixed...))
	for _, l := range linesOf(t, out) {
		if 0 < *l.Quality && *l.Quality < 1 {
			between++
		}
		if len(fmt.Sprint(*l.Quality)) > len("0.1234") {
			t.Errorf("the quality is %v", *l.Quality)
		}
	}
	if between == 0 {
		t.Error("no text is between good and bad")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range []string{"", "-jsonl x -words 0", "-jsonl x -least 0.5", "-jsonl x -opt-out nothing",
		"-jsonl x -opt-out noai,", "-jsonl x -language english", "-jsonl x -language ,",
		"-jsonl x -language en,", "-jsonl x -quality /no/model", "-jsonl x -max-page 0",
		"-jsonl x -least NaN -quality m", "-jsonl x -agent mybot,(GPTBot", "-jsonl - -wet -", "-jsonl x.warc.gz"} {
		if r := stagetest.Run(t, tool(), setup, "", strings.Fields(args)...); r.Code != stage.ExitUsage {
			t.Errorf("%q: exit %d, %s", args, r.Code, r.Stderr)
		}
	}
}

// FuzzAnswer writes the text of whatever a server sent: the run succeeds, the law holds, and what is
// written can be read again.
func FuzzAnswer(f *testing.F) {
	f.Add(ok, []byte("<p>"+english), "near=%1b%22")
	f.Add(ok+"Content-Encoding: gzip\r\n", []byte("\x1f\x8b\x08"), "")
	f.Add("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16\r\n", []byte("<\x00p\x00>\x00"),
		"sure=x\tworth=-1")
	f.Add("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nX-Robots-Tag: a:b:c,,noai\r\n",
		[]byte("<html xmlns='http://www.w3.org/1999/xhtml'>\xff\xe2\x80\xae"+english), "label=\x7f")
	j, err := newJudge("")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, head string, body []byte, attrs string) {
		record, err := urlbatch.Parse([]byte("http://a.test/\t" + attrs))
		if err != nil {
			record = urlbatch.New("http://a.test/")
		}
		in := stagetest.Pages(t, &warc.Exchange{Record: record, Date: stagetest.Date, Request: []byte("GET"),
			Response: []byte(head + "\r\n" + string(body))})
		dir := t.TempDir()
		env := &stage.Env{Inputs: []string{in}, Files: output.NewRun(nil), Report: report.New()}
		c := config{lines: dir + "/x.jsonl", wet: dir + "/x.warc.gz", words: 1, maxPage: 1 << 20, optOuts: allOptOuts}
		if err := write(t.Context(), env, c, j); err != nil {
			t.Fatal(err)
		}
		if _, err := env.Report.Summary(); err != nil {
			t.Error(err)
		}
		for _, path := range []string{c.lines, c.wet} {
			if err := verify(t.Context(), env, path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
		}
	})
}

// TestKeepsOrder: the texts are in the order of the answers, over all inputs.
func TestKeepsOrder(t *testing.T) {
	var inputs, want, got []string
	for i := range 3 {
		url := fmt.Sprintf("http://a.test/%d", i)
		inputs, want = append(inputs, stagetest.Pages(t, page(t, url, ok, "<p>"+english))), append(want, url)
	}
	out := filepath.Join(t.TempDir(), "x.jsonl")
	stagetest.MustRun(t, tool(), setup, "", append([]string{"-jsonl", out}, inputs...)...)
	for _, l := range linesOf(t, out) {
		got = append(got, l.URL)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
