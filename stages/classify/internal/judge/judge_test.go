package judge

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"multitext/classify/terms"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

const words = "granite and basalt are rocks of the earth"

// TestVerdicts: which bodies have text, and how it is read.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		want                    terms.Verdict
		count                   int
	}{
		{"HTML", "text/html", "<p title=never>" + words + "<script>no</script>", terms.Classifiable, 8},
		{"XHTML", "application/xhtml+xml", "<p title=never>" + words, terms.Classifiable, 8},
		{"XML", "text/xml; charset=utf-8", "<p title=never>" + words, terms.Classifiable, 8},
		{"RSS", "application/rss+xml", "<p title=never>" + words, terms.Classifiable, 8},
		{"plain text", "text/plain", "<p title=never>" + words, terms.Classifiable, 11},
		{"Markdown", "text/markdown", words, terms.Classifiable, 8},
		{"undeclared HTML", "", "<!doctype html><p title=never>" + words, terms.Classifiable, 8},
		{"undeclared something", "", words, terms.NoText, 0},
		{"a drawing", "image/svg+xml", "<text>" + words, terms.NoText, 0},
		{"an image", "image/png", words, terms.NoText, 0},
		{"a style sheet", "text/css", words, terms.NoText, 0},
		{"a script", "text/javascript; charset=utf-8", words, terms.NoText, 0},
		{"a table", "text/csv", words, terms.NoText, 0},
		{"numbers", "text/html", "<p>17.4.2001", terms.NoText, 0},
		{"nothing", "text/html", "", terms.NoText, 0},
		{"few", "text/html", "<b>granite</b> basalt", terms.Short, 2},
		{"windows-1251 by HTTP", "text/html; charset=windows-1251",
			"<p>\xe3\xf0\xe0\xed\xe8\xf2 \xe8 \xe1\xe0\xe7\xe0\xeb\xfc\xf2", terms.Classifiable, 3},
		{"UTF-16", "text/html", "\xff\xfea\x00 \x00b\x00 \x00c\x00", terms.Classifiable, 3},
	} {
		j := newJudge(t, Options{Short: 3})
		got := j.Read(Page{Status: 200, ContentType: c.contentType, Body: []byte(c.body)})
		if got != c.want || j.Terms().Total() != c.count {
			t.Errorf("%s: %s with %d terms, want %s with %d", c.name, got, j.Terms().Total(), c.want, c.count)
		}
	}
}

// TestStatuses: what is no answer, or no page, is not read at all.
func TestStatuses(t *testing.T) {
	j := newJudge(t, Options{Short: 1})
	for status, want := range map[int]terms.Verdict{0: terms.Empty, 200: terms.Classifiable, 206: terms.Classifiable,
		301: terms.Invalid, 304: terms.Invalid, 404: terms.Invalid, 500: terms.Invalid} {
		got := j.Read(Page{Status: status, ContentType: "text/html", Body: []byte(words)})
		if got != want || (j.Terms().Total() > 0) != (want == terms.Classifiable) {
			t.Errorf("status %d: %s with %d terms", status, got, j.Terms().Total())
		}
	}
}

// TestASCII: the thesis's way asks for no charset.
func TestASCII(t *testing.T) {
	page := Page{Status: 200, ContentType: "text/html; charset=utf-16", Body: []byte("<p>granite and basalt")}
	for ascii, want := range map[bool]bool{true: true, false: false} {
		j := newJudge(t, Options{Short: 1, ASCII: ascii})
		j.Read(page)
		if got := bag(j); strings.Contains(got, "granite and basalt") != want {
			t.Errorf("ASCII %v: %q", ascii, got)
		}
	}
}

// TestLanguages: the methods, with names and without.
func TestLanguages(t *testing.T) {
	english := "<p>" + strings.Repeat(words+" which we have seen before on other pages ", 3)
	french := "<p>" + strings.Repeat("la pierre et la terre ne sont pas aussi vieilles que la montagne ", 4)
	for _, c := range []struct {
		method string
		named  bool
		french string
	}{
		{TwoStep, true, "fr"}, {TwoStep, false, ""}, {Words, true, "fr"}, {Words, false, ""}, {NGrams, false, "fr"},
	} {
		j := newJudge(t, Options{Language: c.method, Named: c.named, Short: 1})
		for body, want := range map[string]string{english: English, french: c.french} {
			j.Read(Page{Status: 200, ContentType: "text/html", Body: []byte(body)})
			if got := j.Language().Language; got != want {
				t.Errorf("%s, named %v: %q, want %q, for %.30q", c.method, c.named, got, want, body)
			}
		}
	}
	if _, err := New(Options{Language: "guess"}); err == nil {
		t.Error("a method that is none was taken")
	}
}

func newJudge(t *testing.T, o Options) *Judge {
	t.Helper()
	j, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// bag is the different terms of the page at hand.
func bag(j *Judge) string {
	var all []string
	for i := range j.Terms().Len() {
		term, _ := j.Terms().Term(i)
		all = append(all, string(term))
	}
	return strings.Join(all, " ")
}

// TestFromAnswer: what is inflated, how far, and what is an error.
func TestFromAnswer(t *testing.T) {
	html := "HTTP/1.1 200 OK\r\nContent-Type: text/html"
	for _, c := range []struct {
		name, answer string
		want         Page
	}{
		{"a page", html + "\r\n\r\n<p>granite", Page{200, "text/html", []byte("<p>granite"), false}},
		{"more than the bound", html + "\r\n\r\n" + strings.Repeat("granite ", 9),
			Page{200, "text/html", []byte("granite granite gran"), false}},
		{"in chunks", html + "\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>g\r\n6\r\nranite\r\n0\r\n\r\n",
			Page{200, "text/html", []byte("<p>granite"), false}},
		{"of unknown coding", html + "\r\nContent-Encoding: x-secret\r\n\r\n<p>granite",
			Page{200, "text/html", nil, false}},
		{"an image, which is not inflated", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\ngranite",
			Page{200, "image/png", nil, false}},
		{"an error, which is not inflated", "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n<p>granite",
			Page{404, "text/html", nil, false}},
		{"no HTTP", "granite", Page{}},
	} {
		a := answer(t, c.answer, func(b []byte) []byte { return b })
		got, err := FromAnswer(a, 20)
		if err != nil || got.Status != c.want.Status || got.ContentType != c.want.ContentType ||
			!bytes.Equal(got.Body, c.want.Body) {
			t.Errorf("%s: %d %q %q, %v", c.name, got.Status, got.ContentType, got.Body, err)
		}
	}
	var damage *warc.DamageError
	for name, end := range map[string]int{"checksum": 8, "body": 20} {
		a := answer(t, html+"\r\n\r\n<p>granite and basalt, not compressed much", func(b []byte) []byte {
			b[len(b)-end] ^= 0x55
			return b
		})
		if _, err := FromAnswer(a, 1000); !errors.As(err, &damage) {
			t.Errorf("%s: a damaged file gives %v", name, err)
		}
	}
}

// answer makes an answer of what a server sent, from a file with a flaw.
func answer(t *testing.T, sent string, flaw func([]byte) []byte) *warc.Answer {
	t.Helper()
	e := new(warc.Encoder)
	p, err := e.Encode(&warc.Exchange{Record: urlbatch.New("http://a.test/"), Date: time.Unix(1, 0),
		Request: []byte("GET"), Response: []byte(sent)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := warc.NewReader("test", bytes.NewReader(flaw(p.Response))).Next()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
