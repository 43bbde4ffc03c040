package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

type answer struct{ path, head, body, truncated string } // attributes of the URL stand behind path

const ok = "HTTP/1.1 200 OK"

var testDate = time.UnixMilli(1_800_000_000_123).UTC()

// batch writes a page batch with a warcinfo record and returns its path.
func batch(t testing.TB, answers ...answer) string {
	t.Helper()
	var all []*warc.Exchange
	for _, a := range answers {
		x := stagetest.Answer(t, "http://a.test"+a.path, a.head+"\r\n\r\n"+a.body)
		x.Date, x.Truncated = testDate, a.truncated
		all = append(all, x)
	}
	return stagetest.Pages(t, all...)
}

// listed lists the answers of a page batch, each by its line. Each must have its request.
func listed(t testing.TB, path string, line func(*warc.Answer) string) (got []string) {
	t.Helper()
	stagetest.EachAnswer(t, path, func(_ *warc.Reader, a *warc.Answer) {
		if b, err := a.RequestBlock(); err != nil || len(b) == 0 {
			t.Errorf("%s: request %q, %v", a.URL(), b, err)
		}
		got = append(got, line(a))
	})
	return got
}

func pathOf(url string) string { return strings.TrimPrefix(url, "http://a.test") }

// contents lists a page batch: "response /path" or "revisit /path of URL".
func contents(t testing.TB, path string) []string {
	t.Helper()
	return listed(t, path, func(a *warc.Answer) string {
		line := a.Field("WARC-Type") + " " + pathOf(a.URL())
		if a.Revisit() {
			line += " of " + pathOf(a.Field("WARC-Refers-To-Target-URI"))
			if d := a.Field("WARC-Refers-To-Date"); d != "2027-01-15T08:00:00.123Z" {
				t.Errorf("%s refers to %s", a.URL(), d)
			}
		}
		return line
	})
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestInsideABatch(t *testing.T) {
	in := batch(t,
		answer{path: "/1", head: ok, body: "same"},
		answer{path: "/2", head: ok, body: "other"},
		answer{path: "/3", head: ok + "\r\nServer: x", body: "same"},
		answer{path: "/4", head: ok + "\r\nTransfer-Encoding: chunked", body: "4\r\nsame\r\n0\r\n\r\n"},
	)
	out := filepath.Join(t.TempDir(), "u.warc.gz")
	r := stagetest.MustRun(t, tool(), setup, "", "-unique", out, in)
	same(t, "revisits", contents(t, out), "response /1", "response /2", "revisit /3 of /1", "revisit /4 of /1")
	if !r.Has("in 4") || !r.Has("count revisits 2") || !strings.Contains(r.Report, "out "+out+" 4 ") {
		t.Errorf("report\n%s", r.Report)
	}

	dropped := filepath.Join(t.TempDir(), "d.warc.gz")
	r = stagetest.MustRun(t, tool(), setup, "", "-drop", "-unique", dropped, in)
	same(t, "dropped", contents(t, dropped), "response /1", "response /2")
	if !r.Has("reason duplicate 2") || !strings.Contains(r.Report, "out "+dropped+" 2 ") {
		t.Errorf("report\n%s", r.Report)
	}
}

// TestUnjudged holds that what is no page's whole content passes, however often, and is copied byte
// by byte.
func TestUnjudged(t *testing.T) {
	var answers []answer
	for i, a := range []answer{
		{head: "HTTP/1.1 301 Moved\r\nLocation: /", body: "moved"},
		{head: "HTTP/1.1 404 Not Found", body: "gone"},
		{head: "HTTP/1.1 206 Partial Content", body: "part"},
		{head: ok},
		{head: ok + "\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"},
		{head: ok, body: "cut", truncated: "length"},
		{head: "no HTTP", body: "x"},
	} {
		for j := range 2 {
			a.path = fmt.Sprintf("/%d%d", i, j)
			answers = append(answers, a)
		}
	}
	in, out := batch(t, answers...), filepath.Join(t.TempDir(), "u.warc.gz")
	r := stagetest.MustRun(t, tool(), setup, "", "-unique", out, in)
	if !r.Has(fmt.Sprintf("count not-judged %d", len(answers))) {
		t.Errorf("report\n%s", r.Report)
	}
	want, _ := os.ReadFile(in)
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, not the %d read (%v)", len(got), len(want), err)
	}
}

// TestForeignRecords feeds records of another program: one that gives cut answers a payload digest,
// and one whose digests are not ours to compare.
func TestForeignRecords(t *testing.T) {
	for _, fields := range []string{
		"WARC-Truncated: length\r\nWARC-Payload-Digest: sha1:Q336IN72UWT7ZYK5DXOLT2XK5I3XMZ5Y",
		"WARC-Payload-Digest: sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
	} {
		var b bytes.Buffer
		for range 2 {
			z := gzip.NewWriter(&b)
			fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\n"+
				"Content-Type: application/http\r\n%s\r\nContent-Length: 20\r\n\r\nHTTP/1.1 200 OK\r\n\r\na\r\n\r\n",
				fields)
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if r := stagetest.MustRun(t, tool(), setup, b.String()); !r.Has("count not-judged 2") ||
			r.Stdout != b.String() {
			t.Errorf("%s: report\n%s", fields, r.Report)
		}
	}
}

func TestAcrossRuns(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list")
	run := func(n int, in string) (stagetest.Result, string) {
		seg, out := fmt.Sprintf("%s/seg%d", dir, n), fmt.Sprintf("%s/out%d.warc.gz", dir, n)
		r := stagetest.MustRun(t, tool(), setup, "", "-digests", list, "-new", seg, "-unique", out, in)
		if _, err := os.Stat(seg); err == nil {
			// As the manager does at commit.
			old, _ := os.ReadFile(list)
			for path := range strings.Lines(string(old)) {
				if strings.Contains(r.Report, "replaces "+path) {
					old = bytes.Replace(old, []byte(path), nil, 1)
				}
			}
			if err := os.WriteFile(list, append(old, seg+"\n"...), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return r, out
	}
	r, _ := run(1, batch(t, answer{path: "/1", head: ok, body: "a"}))
	if !strings.Contains(r.Report, "made "+dir+"/seg1 1 ") {
		t.Errorf("report lacks the segment:\n%s", r.Report)
	}
	_, out := run(2, batch(t, answer{path: "/2", head: ok, body: "a"}, answer{path: "/3", head: ok, body: "b"}))
	same(t, "second run", contents(t, out), "revisit /2 of /1", "response /3")
	_, out = run(3, batch(t, answer{path: "/4", head: ok, body: "b"}))
	same(t, "third run", contents(t, out), "revisit /4 of /3")
	if _, err := os.Stat(dir + "/seg3"); err == nil {
		t.Error("a run without new bodies wrote a segment")
	}
}

// TestKeyOfAnotherBody gives a body the entry of another with the same first 64 bits: it is no
// duplicate.
func TestKeyOfAnotherBody(t *testing.T) {
	in := batch(t, answer{path: "/1", head: ok, body: "a"})
	d := digest(sha1.Sum([]byte("a")))
	for _, c := range []struct {
		name string
		flip int // byte of the digest that differs
		want string
	}{
		{"the same body", -1, "revisit /1 of /first"},
		{"another", 19, "response /1"},
	} {
		entry := encodeEntry(d, original{Original: warc.Original{URL: "http://a.test/first", Date: testDate}})
		if c.flip >= 0 {
			entry[1+c.flip-keySize] ^= 1
		}
		same(t, c.name, contents(t, runWithState(t, in, d.key(), entry)), c.want)
	}
}

// runWithState runs the stage with a state of one entry and returns its output.
func runWithState(t *testing.T, in string, key uint64, entry []byte) string {
	t.Helper()
	list, out := stateOf(t, one(key, entry)), filepath.Join(t.TempDir(), "u.warc.gz")
	stagetest.MustRun(t, tool(), setup, "", "-digests", list, "-unique", out, in)
	return out
}

// stateOf writes a state of these entries and returns the list of its segment.
func stateOf(t *testing.T, entries segment.Entries) (list string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "segment")
	w, err := segment.Create(output.NewRun(nil), path, true, nil)
	entries.Sort()
	for i, key := range entries.Keys {
		if err == nil {
			err = w.Add(key, entries.Values[i])
		}
	}
	if err == nil {
		err = w.Close(nil)
	}
	if err == nil {
		err = os.WriteFile(path+".list", []byte(path+"\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path + ".list"
}

// one is the entries of a state that has one.
func one(key uint64, value []byte) (entries segment.Entries) {
	entries.Add(key, value)
	return entries
}

func TestRefusesForeignState(t *testing.T) {
	in := batch(t, answer{path: "/1", head: ok, body: "a"})
	d := digest(sha1.Sum([]byte("a")))
	for _, entry := range []string{"", "\x03 a later version, which this program does not know"} {
		r := stagetest.Run(t, tool(), setup, "", "-digests", stateOf(t, one(d.key(), []byte(entry))), in)
		if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, "not of version 2") {
			t.Errorf("entry %q: exit %d, %s", entry, r.Code, r.Stderr)
		}
	}
}

// TestEntryFormat checks the layout of version 2.
func TestEntryFormat(t *testing.T) {
	var d digest
	for i := range d {
		d[i] = byte(i)
	}
	first := original{warc.Original{URL: "http://a.test/", Date: testDate}, 0x01020304}
	got := hex.EncodeToString(encodeEntry(d, first))
	want := "02" + "08090a0b0c0d0e0f10111213" + "7b505c18a3010000" + "04030201" +
		hex.EncodeToString([]byte("http://a.test/"))
	if got != want || d.key() != 0x0001020304050607 {
		t.Errorf("entry %s under %016x,\nwant  %s", got, d.key(), want)
	}
}

func TestDamagedInputFails(t *testing.T) {
	in := batch(t, answer{path: "/1", head: ok, body: "a"})
	b, _ := os.ReadFile(in)
	dir := t.TempDir()
	out := filepath.Join(dir, "u.warc.gz")
	r := stagetest.Run(t, tool(), setup, string(b[:len(b)-5]), "-unique", out, "-")
	if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, "damaged at byte") {
		t.Errorf("exit %d: %s", r.Code, r.Stderr)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Error("the failed run left its output")
	}
}

func TestVerify(t *testing.T) {
	d := digest(sha1.Sum([]byte("a")))
	for _, c := range []struct {
		entry []byte
		want  string // on stderr
	}{
		{encodeEntry(d, original{Original: warc.Original{URL: "http://a.test/", Date: testDate}}), ""},
		{[]byte("\x03 of a later version, as long as one of this version is"), "not of version 2"},
		{nil, "not of version 2"},
		// as one of another stage
		{[]byte("\x02\x01\x80\x80\x80\x80\x06\x00\x00\x10http://a.test:8080\x00\x01\x0c192.0.2.1:80"), "is not a URL"},
	} {
		path := strings.TrimSuffix(stateOf(t, one(d.key(), c.entry)), ".list")
		r := stagetest.Run(t, tool(), setup, "", "-verify", path)
		if (r.Code == stage.ExitDone) != (c.want == "") || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("entry %q: %+v", c.entry, r)
		}
	}
}
