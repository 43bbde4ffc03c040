package main

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/web/near"
)

const htmlOK = ok + "\r\nContent-Type: text/html; charset=utf-8"

// text makes a page of n words; the same seed makes the same words.
func text(seed uint64, n int) []string {
	rnd := rand.New(rand.NewPCG(seed, 0))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", rnd.IntN(9999))
	}
	return words
}

func html(words []string, script string) string {
	return "<title>A page</title><script>" + script + "</script><p>" + strings.Join(words, " ")
}

// nears lists the answers of a page batch as "/path", or "/path like /other".
func nears(t testing.TB, path string) []string {
	t.Helper()
	return listed(t, path, func(a *warc.Answer) string {
		line := pathOf(a.URL())
		if of, ok := a.Record().Get(urlbatch.Near); ok {
			line += " like " + pathOf(of)
		}
		if a.Revisit() {
			line += " again"
		}
		return line
	})
}

// likePages are a page, one in other words, a near-copy of the first, and once more the near-copy.
func likePages() []answer {
	first, other := text(1, 400), text(2, 400)
	changed := append([]string{"Monday"}, first...)
	return []answer{
		{path: "/first", head: htmlOK, body: html(first, "1")},
		{path: "/other", head: htmlOK, body: html(other, "1")},
		{path: "/copy", head: htmlOK, body: html(changed, "2")},
		{path: "/copy2", head: htmlOK, body: html(changed, "2")},
		{path: "/short", head: htmlOK, body: html(first[:20], "")},
		{path: "/short2", head: htmlOK, body: html(first[:21], "")},
		{path: "/image", head: ok + "\r\nContent-Type: image/gif", body: strings.Join(first, " ")},
	}
}

func TestNear(t *testing.T) {
	in, dir := batch(t, likePages()...), t.TempDir()
	out, aside := dir+"/unique.warc.gz", dir+"/aside.warc.gz"
	r := stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-unique", out, in)
	same(t, "marked", nears(t, out), "/first", "/other", "/copy like /first", "/copy2 again", "/short", "/short2",
		"/image")
	if !r.Has("count near-duplicates 1") || !r.Has("count near-not-judged 3") || !r.Has("count revisits 1") {
		t.Errorf("report\n%s", r.Report)
	}

	out = dir + "/unique2.warc.gz"
	copies := dir + "/copies.warc.gz"
	r = stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-unique", out, "-aside", aside, "-copies", copies,
		"-new", dir+"/new", in)
	same(t, "unique", nears(t, out), "/first", "/other", "/copy2 again", "/short", "/short2", "/image")
	same(t, "aside", nears(t, aside), "/copy like /first")
	if !r.Has("in 7") || !strings.Contains(r.Report, "out "+aside+" 1 ") {
		t.Errorf("report\n%s", r.Report)
	}
	list := filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte(dir+"/new\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r = stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-unique", dir+"/again.warc.gz", "-aside", aside,
		"-copies", copies, "-digests", list, in)
	if _, err := os.Stat(copies); err == nil {
		t.Errorf("copies of a page that was set aside: %q", nears(t, copies))
	}
	if info := infoOf(t, aside); !bytes.Equal(info, infoOf(t, in)) {
		t.Errorf("aside begins with the warcinfo %q", info)
	}

	out = dir + "/unique3.warc.gz"
	r = stagetest.MustRun(t, tool(), setup, "", "-unique", out, in)
	same(t, "not asked for", nears(t, out), "/first", "/other", "/copy", "/copy2 again", "/short", "/short2", "/image")
	if strings.Contains(r.Report, "near") {
		t.Errorf("report\n%s", r.Report)
	}
}

// TestNearInAnyCharset holds that a text is one text in whatever charset it comes.
func TestNearInAnyCharset(t *testing.T) {
	words := text(1, 100)
	for i := range words {
		words[i] += "\u0436"
	}
	page := html(words, "")
	in, out := batch(t,
		answer{path: "/first", head: htmlOK, body: page},
		answer{path: "/copy", head: ok + "\r\nContent-Type: text/html; charset=windows-1251",
			body: strings.ReplaceAll(page, "\u0436", "\xe6")},
	), t.TempDir()+"/unique.warc.gz"
	stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-unique", out, in)
	same(t, "marked", nears(t, out), "/first", "/copy like /first")
}

// infoOf gives the warcinfo member that a batch begins with.
func infoOf(t testing.TB, path string) (info []byte) {
	t.Helper()
	stagetest.EachAnswer(t, path, func(r *warc.Reader, _ *warc.Answer) { info = r.Info() })
	return info
}

// TestNearAcrossRuns holds that the state of one run serves the next, and that a page is held
// against pages alone that are like no other: of a page that changes a word at a time, each is like
// the one before it, but in the end one is new.
func TestNearAcrossRuns(t *testing.T) {
	dir := t.TempDir()
	list, words := dir+"/list", text(1, 300)
	copies, firsts := map[string]bool{}, 0
	for n := range 4 {
		var pages []answer
		for i := range 10 {
			pages = append(pages, answer{path: fmt.Sprintf("/%d%d", n, i), head: htmlOK, body: html(words, "")})
			words[(10*n+i)*7] = fmt.Sprintf("new%d%d", n, i)
		}
		seg, out := fmt.Sprintf("%s/seg%d", dir, n), fmt.Sprintf("%s/out%d.warc.gz", dir, n)
		stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-digests", list, "-new", seg, "-unique", out,
			batch(t, pages...))
		stagetest.MustRun(t, tool(), setup, "", "-verify", seg)
		old, _ := os.ReadFile(list)
		if err := os.WriteFile(list, append(old, seg+"\n"...), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, line := range nears(t, out) {
			path, of, like := strings.Cut(line, " like ")
			switch {
			case !like:
				firsts++
			case copies[of]:
				t.Errorf("%s, which is itself a copy", line)
			default:
				copies[path] = true
			}
		}
	}
	if firsts < 2 || firsts > 10 || !copies["/10"] && !copies["/11"] {
		t.Errorf("%d pages of 40 are like no other, copies are %v", firsts, copies)
	}
}

// TestNearItself: a page that has changed a little since its last visit is a new version of itself,
// and no near-duplicate: its new links are to be followed. Another page that is like it is one.
func TestNearItself(t *testing.T) {
	first := text(1, 400)
	second := append([]string{"Monday"}, first...)
	third := append([]string{"Tuesday"}, first...)
	dir := t.TempDir()
	list, seg, out, aside := dir+"/list", dir+"/seg", dir+"/u.warc.gz", dir+"/a.warc.gz"
	in := batch(t, answer{path: "/", head: htmlOK, body: html(first, "")},
		answer{path: "/", head: htmlOK, body: html(second, "")})
	r := stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-new", seg, "-unique", out, "-aside", aside, in)
	same(t, "in one run", nears(t, out), "/", "/ like /")
	if !r.Has("count near-itself 1") || r.Has("count near-duplicates 1") {
		t.Errorf("report\n%s", r.Report)
	}
	os.WriteFile(list, []byte(seg+"\n"), 0o666)
	in = batch(t, answer{path: "/", head: htmlOK, body: html(third, "")},
		answer{path: "/x", head: htmlOK, body: html(third, "2")})
	out, aside = dir+"/u2.warc.gz", dir+"/a2.warc.gz"
	stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-digests", list, "-unique", out, "-aside", aside, in)
	same(t, "in the next", nears(t, out), "/ like /")
	same(t, "aside", nears(t, aside), "/x like /")
}

// TestFirstKeepsIts: what a text has in common with one before it stays the first one's, so that
// the next copy of the first is still found.
func TestFirstKeepsIts(t *testing.T) {
	l := &likeness{2, nil, &segment.Set{}, map[uint64]uint64{}, map[uint64]warc.Original{}}
	l.add(near.Sketch{1, 2, 3, 4, 5, 6}, 100, warc.Original{URL: "first"})
	l.add(near.Sketch{1, 12, 13, 14, 15, 16}, 200, warc.Original{URL: "second"})
	for _, c := range []struct {
		sketch near.Sketch
		want   string
	}{
		{near.Sketch{1, 2, 23, 24, 25, 26}, "first"},
		{near.Sketch{21, 22, 13, 14, 25, 26}, "second"},
		{near.Sketch{21, 2, 13, 14, 15, 6}, "second"},
		{near.Sketch{1, 22, 23, 24, 25, 16}, ""},
	} {
		if of, found, err := l.find(c.sketch); of.URL != c.want || found != (c.want != "") || err != nil {
			t.Errorf("%v is like %q, %v, %v; want %q", c.sketch, of.URL, found, err, c.want)
		}
	}
}

// TestNearThreshold holds that N means what it says.
func TestNearThreshold(t *testing.T) {
	words := text(1, 300)
	changed := append([]string(nil), words...)
	for i := range 4 {
		changed[50*i+9] = fmt.Sprint("new", i)
	}
	in := batch(t, answer{path: "/1", head: htmlOK, body: html(words, "")},
		answer{path: "/2", head: htmlOK, body: html(changed, "")})
	found := 0
	for n := 1; n <= 6; n++ {
		r := stagetest.MustRun(t, tool(), setup, "", "-near", fmt.Sprint(n), in)
		if r.Has("count near-duplicates 1") {
			if found != n-1 {
				t.Errorf("found with %d, not with %d", n, n-1)
			}
			found = n
		}
	}
	if found == 0 || found == 6 {
		t.Errorf("pages of likeness 0.92 share %d of six super-shingles", found)
	}
	for _, args := range [][]string{{"-near", "7"}, {"-near", "-1"}, {"-aside", "x"}} {
		if r := stagetest.Run(t, tool(), setup, "", append(args, in)...); r.Code != stage.ExitUsage {
			t.Errorf("%q: exit %d", args, r.Code)
		}
	}
}

// TestGoldenState checks that the state is written as in the golden file, which is kept for ever
// and still works.
func TestGoldenState(t *testing.T) {
	in, dir := batch(t, likePages()[:2]...), t.TempDir()
	made := dir + "/seg"
	stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-new", made, in)
	golden := filepath.Join("testdata", "v2.seg")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(made); !bytes.Equal(got, want) {
		t.Error("a state is written other than testdata/v2.seg")
	}
	if err := segment.VerifyFile(golden, nil, verifyEntry); err != nil {
		t.Error(err)
	}
	path, err := filepath.Abs(golden)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(dir+"/list", []byte(path+"\n"), 0o666)
	out := dir + "/u.warc.gz"
	stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-digests", dir+"/list", "-unique", out,
		batch(t, likePages()[1:3]...))
	same(t, "with the kept state", nears(t, out), "/other again", "/copy like /first")
}

// TestKindsMeet: an entry of one kind under a key of the other is none.
func TestKindsMeet(t *testing.T) {
	d := digest(sha1.Sum([]byte("a")))
	in := batch(t, answer{path: "/1", head: ok, body: "a"})
	same(t, "a super-shingle where a body should be", contents(t, runWithState(t, in, d.key(), encodeNear(7))),
		"response /1")
	same(t, "places where a body should be", contents(t, runWithState(t, in, d.key(), []byte("p1234"))), "response /1")
	body := encodeEntry(d, original{Original: warc.Original{URL: "http://a.test/", Date: testDate}})
	if isNear(body) {
		t.Error("a body's entry is taken for a super-shingle")
	}
}

// TestNearUnread: what cannot be decoded is not judged, and neither is what stands behind the first
// 2 MiB.
func TestNearUnread(t *testing.T) {
	words := strings.Join(text(1, 400), " ")
	in := batch(t,
		answer{path: "/rot", head: htmlOK + "\r\nContent-Encoding: x-rot13", body: words},
		answer{path: "/far", head: htmlOK, body: strings.Repeat(" ", maxPage) + words},
		answer{path: "/near", head: htmlOK, body: words + " end"},
	)
	out := filepath.Join(t.TempDir(), "u.warc.gz")
	r := stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-unique", out, in)
	same(t, "unread", nears(t, out), "/rot", "/far", "/near")
	if !r.Has("count near-not-judged 2") {
		t.Errorf("report\n%s", r.Report)
	}
}

// TestNoPageBehind: a super-shingle that leads to no body's entry says nothing.
func TestNoPageBehind(t *testing.T) {
	sketch, _ := near.NewSketcher().HTML([]byte(likePages()[0].body))
	for name, page := range map[string]uint64{"none": 7, "a super-shingle": sketch[0]} {
		var b segment.Entries
		for _, key := range sketch {
			b.Add(key, encodeNear(page))
		}
		out := filepath.Join(t.TempDir(), "u.warc.gz")
		stagetest.MustRun(t, tool(), setup, "", "-near", "2", "-digests", stateOf(t, b), "-unique", out,
			batch(t, likePages()[0]))
		same(t, name, nears(t, out), "/first")
	}
}

func benchmarkXdup(b *testing.B, args ...string) {
	var answers []answer
	for i := range 300 {
		answers = append(answers, answer{path: fmt.Sprint("/", i), head: htmlOK, body: html(text(uint64(i), 600), "")})
	}
	in := batch(b, answers...)
	for b.Loop() {
		stagetest.MustRun(b, tool(), setup, "", append(args, in)...)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(answers)), "µs/page")
}

func BenchmarkExact(b *testing.B) { benchmarkXdup(b) }
func BenchmarkNear(b *testing.B)  { benchmarkXdup(b, "-near", "2") }
