package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/cdxj"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/httphead"
)

var (
	setup    = setupWith(32 << 20)
	testDate = time.Date(2026, 11, 21, 19, 7, 47, 123e6, time.UTC)
)

type page struct{ url, head, body, truncated string }

// pages are one of each kind: an ordinary page, one that is no HTML, an error, a redirect, one that
// was cut and one that is no HTTP.
func pages() []page {
	return []page{
		{"http://www.b.test/Folder/?z=1&a=2", "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=x", "a page", ""},
		{"http://a.test:8480/notes.txt", "HTTP/1.1 200 OK\r\nContent-Type: text/plain", "same", ""},
		{"http://a.test/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: a\x1b\" \\b", "gone", ""},
		{"http://a.test/", "HTTP/1.1 301 Moved\r\nLocation: /x", "", ""},
		{"http://a.test/cut", "HTTP/1.1 200 OK\r\nContent-Type: text/html", "half a pa", "length"},
		{"http://a.test/raw", "SSH-2.0", "", ""},
	}
}

// batch makes the bytes of a page batch: a warcinfo record, the pages, and a revisit of the first.
func batch(t testing.TB, date time.Time, all ...page) []byte {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	e := new(warc.Encoder)
	info, err := e.Info(date, httphead.Fields{{Name: "software", Value: "test"}})
	must(err)
	var b bytes.Buffer
	b.Write(info)
	var first warc.Packed
	for i, p := range all {
		packed, err := e.Encode(&warc.Exchange{
			Record: urlbatch.New(p.url), Date: date.Add(time.Duration(i) * time.Second), Truncated: p.truncated,
			Request: []byte("GET / HTTP/1.1\r\n\r\n"), Response: []byte(p.head + "\r\n\r\n" + p.body),
		})
		must(err)
		b.Write(packed.Response)
		b.Write(packed.Request)
		if i == 0 {
			first = packed
		}
	}
	b.Write(stagetest.Revisit(t, first, warc.Original{URL: all[0].url, Date: date}).Response)
	return b.Bytes()
}

// archiveOf writes an archive file of two batches that were joined, and returns its path.
func archiveOf(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "m-000000000007-00001.warc.gz")
	joined := append(batch(t, testDate, pages()...), batch(t, testDate.Add(time.Hour), pages()[1:2]...)...)
	if err := os.WriteFile(path, joined, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(t testing.TB, path string) []cdxj.Line {
	t.Helper()
	r, err := cdxj.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []cdxj.Line
	for {
		text, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := cdxj.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
}

func TestIndex(t *testing.T) {
	in, out := archiveOf(t), filepath.Join(t.TempDir(), "index.cdxj")
	r := stagetest.MustRun(t, tool(), setup, "", "-out", out, in)
	if !r.Has("in 9") || !r.Has("reason indexed 9") || !strings.Contains(r.Report, "made "+out+" 9 ") {
		t.Errorf("report\n%s", r.Report)
	}
	var got []string
	for _, l := range lines(t, out) {
		got = append(got, fmt.Sprintf("%s %s %s|%s|%s|%d", l.Key, l.Date.Format("15:04:05"), l.Mime, l.Status,
			l.Filename, len(l.Digest)))
	}
	want := []string{
		`test,a)/ 19:07:50 |301|m-000000000007-00001.warc.gz|32`,
		`test,a)/cut 19:07:51 text/html|200|m-000000000007-00001.warc.gz|0`,
		"test,a)/gone 19:07:49 a\x1b\" \\b|404|m-000000000007-00001.warc.gz|32",
		`test,a)/raw 19:07:52 ||m-000000000007-00001.warc.gz|0`,
		`test,a:8480)/notes.txt 19:07:48 text/plain|200|m-000000000007-00001.warc.gz|32`,
		`test,a:8480)/notes.txt 20:07:47 text/plain|200|m-000000000007-00001.warc.gz|32`,
		`test,a:8480)/notes.txt 20:07:47 warc/revisit|200|m-000000000007-00001.warc.gz|32`,
		`test,b)/folder?a=2&z=1 19:07:47 text/html|200|m-000000000007-00001.warc.gz|32`,
		`test,b)/folder?a=2&z=1 19:07:47 warc/revisit|200|m-000000000007-00001.warc.gz|32`,
	}
	slices.Sort(got) // of two lines of one key and second the order is their JSON's
	if !slices.Equal(got, want) {
		t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	stagetest.MustRun(t, tool(), setup, "", "-verify", "-archive", filepath.Dir(in), out)
}

// TestVerify changes lines, each so that it is a lie, and expects to be told.
func TestVerify(t *testing.T) {
	in := archiveOf(t)
	for name, c := range map[string]struct {
		change func(*cdxj.Line)
		want   string
	}{
		"true":         {func(*cdxj.Line) {}, ""},
		"offset":       {func(l *cdxj.Line) { l.Offset++ }, "damaged at byte"},
		"no offset":    {func(l *cdxj.Line) { l.Offset = -1 }, "leads to no record"},
		"the warcinfo": {func(l *cdxj.Line) { l.Offset, l.Length = 0, lines1(t, in).Offset }, "no answer"},
		"length":       {func(l *cdxj.Line) { l.Length-- }, "damaged"},
		"digest":       {func(l *cdxj.Line) { l.Digest = strings.Repeat("A", 32) }, "so its line should be"},
		"date":         {func(l *cdxj.Line) { l.Date = l.Date.Add(time.Second) }, "so its line should be"},
		"missing file": {func(l *cdxj.Line) { l.Filename = "x" }, "no such file"},
		"other folder": {func(l *cdxj.Line) { l.Filename = "../../../../../../etc/passwd" }, "escapes"},
	} {
		line := lines1(t, in)
		c.change(&line)
		path := filepath.Join(t.TempDir(), "index.cdxj")
		if err := os.WriteFile(path, line.Append(nil), 0o666); err != nil {
			t.Fatal(err)
		}
		r := stagetest.Run(t, tool(), setup, "", "-verify", "-archive", filepath.Dir(in), path)
		if (r.Code == 0) != (c.want == "") || !strings.Contains(r.Stderr, c.want) {
			t.Errorf("%s: exit %d, %q, want %q", name, r.Code, r.Stderr, c.want)
		}
	}
}

// lines1 returns the line of the first answer in the file.
func lines1(t testing.TB, path string) cdxj.Line {
	t.Helper()
	var all []cdxj.Line
	stagetest.EachAnswer(t, path, func(_ *warc.Reader, a *warc.Answer) {
		l, err := lineOf(a, filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	})
	return all[0]
}

func TestMerge(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, keys ...string) string {
		var text []byte
		for _, k := range keys {
			text = (&cdxj.Line{Key: k, Date: testDate, Length: -1, Offset: -1}).Append(text)
		}
		path := filepath.Join(dir, name)
		os.WriteFile(path, text, 0o666)
		return path
	}
	a, b, empty := write("a", "1", "3", "5", "5"), write("b", "2", "3", "9"), write("empty")
	r := stagetest.MustRun(t, tool(), setup, "", "-merge", a, empty, b)
	var keys []string
	for line := range strings.Lines(r.Stdout) {
		keys = append(keys, line[:1])
	}
	if strings.Join(keys, "") != "12359" || !r.Has("in 7") || !r.Has("reason repeated 2") {
		t.Errorf("merged %q, report\n%s", keys, r.Report)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-merge", a, write("c", "2", "1")); r.Code == 0 ||
		!strings.Contains(r.Stderr, "c:2: it should stand in front") {
		t.Errorf("an index that is not sorted: exit %d, %s", r.Code, r.Stderr)
	}
	out := filepath.Join(dir, "none")
	if r := stagetest.MustRun(t, tool(), setup, "", "-merge", "-out", out, empty); strings.Contains(r.Report, "out ") {
		t.Errorf("nothing makes an output: %s", r.Report)
	}
}

// TestParts holds that what is too much for one part is cut, that each is sorted, and that they
// merge to what one part would have been.
func TestParts(t *testing.T) {
	in, dir := archiveOf(t), t.TempDir()
	stagetest.MustRun(t, tool(), setupWith(600), "", "-out", filepath.Join(dir, "i.cdxj"), in)
	parts, _ := filepath.Glob(filepath.Join(dir, "*.cdxj"))
	if len(parts) < 3 {
		t.Fatalf("parts %q", parts)
	}
	stagetest.MustRun(t, tool(), setup, "", append([]string{"-verify"}, parts...)...)
	merged := stagetest.MustRun(t, tool(), setup, "", append([]string{"-merge"}, parts...)...)
	whole := stagetest.MustRun(t, tool(), setup, "", in)
	if merged.Stdout != whole.Stdout {
		t.Errorf("merged\n%s\nwhole\n%s", merged.Stdout, whole.Stdout)
	}
}

func TestStrangers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	data := batch(t, testDate, pages()[0])
	os.WriteFile(path, data[:len(data)-9], 0o666)
	if r := stagetest.Run(t, tool(), setup, "", path); r.Code == 0 || !strings.Contains(r.Stderr, "damaged at byte") {
		t.Errorf("a file that was cut: exit %d, %s", r.Code, r.Stderr)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-"); r.Code == 0 {
		t.Error("standard input was indexed")
	}
	os.WriteFile(path, foreign("WARC-Target-URI: http://a.test/ b\x1b\r\n"), 0o666)
	if r := stagetest.MustRun(t, tool(), setup, "", path); !r.Has("reason bad-date 1") || r.Stdout != "" {
		t.Errorf("without a date: %s", r.Report)
	}
	os.WriteFile(path, foreign("WARC-Date: 2026-11-21T19:07:47Z\r\nWARC-Target-URI: http://a.test/ b\x1b\r\n"), 0o666)
	if r := stagetest.MustRun(t, tool(), setup, "", path); !strings.HasPrefix(r.Stdout,
		`test,a)/%20b%1b 20261121190747 {"url":"http://a.test/%20b%1B",`) {
		t.Errorf("an odd URL: %q", r.Stdout)
	}
	long := "http://a.test/" + strings.Repeat("x", 40_000)
	os.WriteFile(path, foreign("WARC-Date: 2026-11-21T19:07:47Z\r\nWARC-Target-URI: "+long+"\r\n"), 0o666)
	if r := stagetest.MustRun(t, tool(), setup, "", path); !r.Has("reason too-long 1") || r.Stdout != "" {
		t.Errorf("a long URL: %s", r.Report)
	}
}

// TestDamagedHead: damage that shows only when the head of an answer is read fails the run; it does
// not make a line without status.
func TestDamagedHead(t *testing.T) {
	head := "HTTP/1.1 200 OK"
	for i := range 4000 {
		head += fmt.Sprintf("\r\nX-%d: %x", i, i*i*7919)
	}
	whole, failed := batch(t, testDate, page{"http://a.test/", head, "", ""}), 0
	for i := range 20 {
		data := bytes.Clone(whole)
		data[len(data)/4+200*i] ^= 0xff
		path := filepath.Join(t.TempDir(), "x.warc.gz")
		os.WriteFile(path, data, 0o666)
		r := stagetest.Run(t, tool(), setup, "", path)
		if r.Code != 0 && strings.Contains(r.Stderr, "damaged at byte") {
			failed++
		} else if !strings.Contains(r.Stdout, `"status":"200"`) {
			t.Errorf("exit %d, %q", r.Code, r.Stdout)
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}

// FuzzForeign indexes an answer with whatever header a stranger wrote: the line that is made of it,
// if any, is one that can be read.
func FuzzForeign(f *testing.F) {
	for _, fields := range []string{
		"WARC-Date: 2026-11-21T19:07:47Z\r\nWARC-Target-URI: http://a.test/\r\nWARC-Payload-Digest: sha1:X\x1b\r\n",
		"WARC-Date: 2026-11-21T19:07:47Z\r\n",
		"WARC-Date: 0000-01-01T00:00:00+23:00\r\nWARC-Target-URI: http://a.test/\r\n",
		"WARC-Date: 9999-12-31T23:59:59-10:00\r\nWARC-Target-URI: http://a.test/\r\n",
		"WARC-Date: 2026-11-21T19:07:47Z\r\nWARC-Target-URI: \xff b\r\n",
	} {
		f.Add(fields)
	}
	f.Fuzz(func(t *testing.T, fields string) {
		a, err := warc.NewReader("x", bytes.NewReader(foreign(fields))).Next()
		if err != nil {
			return
		}
		line, reason, err := capture(a, "x")
		if err != nil || line == nil {
			return
		}
		text, err := cdxj.NewReader("index", bytes.NewReader(line)).Next()
		if err == nil {
			_, err = cdxj.Parse(text)
		}
		if err != nil || reason != "indexed" {
			t.Errorf("%q has the line %q (%s): %v", fields, line, reason, err)
		}
	})
}

// TestNotModified holds that a record of a 304 has a line only where one is asked for.
func TestNotModified(t *testing.T) {
	e := new(warc.Encoder)
	p, err := e.Encode(&warc.Exchange{
		Record: urlbatch.New("http://a.test/"), Date: testDate, Request: []byte("GET"),
		Response:  []byte("HTTP/1.1 304 Not Modified\r\n\r\n"),
		Unchanged: &warc.Original{URL: "http://a.test/", Date: testDate.Add(-time.Hour)},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	os.WriteFile(path, append(p.Response, p.Request...), 0o666)
	if r := stagetest.MustRun(t, tool(), setup, "", path); r.Stdout != "" || !r.Has("reason not-modified 1") {
		t.Errorf("%q, report\n%s", r.Stdout, r.Report)
	}
	if r := stagetest.MustRun(t, tool(), setup, "", "-all", path); !strings.Contains(r.Stdout,
		`"mime":"warc/revisit","status":"304"`) || !r.Has("reason indexed 1") {
		t.Errorf("with -all %q, report\n%s", r.Stdout, r.Report)
	}
}

func BenchmarkIndex(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.warc.gz")
	body := strings.Repeat("some words of a page that are not all alike ", 300)
	var data []byte
	for i := range 1000 {
		data = append(data, batch(b, testDate, page{fmt.Sprintf("http://a.test/%d", i), "HTTP/1.1 200 OK", body,
			""})...)
	}
	os.WriteFile(path, data, 0o666)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		stagetest.MustRun(b, tool(), setup, "", "-out", "-", path)
	}
}

func BenchmarkMerge(b *testing.B) {
	var paths []string
	size := 0
	for n := range 16 {
		var text []byte
		for i := range 2000 {
			l := cdxj.Line{Key: fmt.Sprintf("test,h%06d)/", i*16+n), Date: testDate, URL: "http://h.test/",
				Mime: "text/html", Length: 1, Offset: 1, Filename: "f"}
			text = l.Append(text)
		}
		path := filepath.Join(b.TempDir(), "i.cdxj")
		os.WriteFile(path, text, 0o666)
		paths = append(paths, path)
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		stagetest.MustRun(b, tool(), setup, "", append([]string{"-merge"}, paths...)...)
	}
}
