package examples

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"multitext/examples/internal/warcs"
)

// An archive is what the packed WARC files hold, read by a reader that is not
// ours: the answers by URL, and how often each body was archived.
type archive struct {
	answers map[string]int // responses and revisits, by URL
	status  map[string]int
	bodies  map[string]int      // whole 2xx bodies, by payload digest
	digests map[string]string   // payload digests of responses and revisits, by URL
	marks   map[string]string   // our attributes of answers, by URL: those of the request count where it has any
	ids     map[string]int      // how often a record ID of a response or revisit was met
	sent    map[string][]string // when each of their requests was sent, by host; as WARC-Date has it
	revisit int
}

// readArchive reads every WARC file of a queue and checks every record's digests.
func readArchive(t testing.TB, dir string) *archive {
	t.Helper()
	a := readMaybeArchive(t, dir)
	if len(a.answers) == 0 {
		t.Fatalf("no WARC files with answers in %s", dir)
	}
	return a
}

// readMaybeArchive is readArchive of a queue that may be empty.
func readMaybeArchive(t testing.TB, dir string) *archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{answers: map[string]int{}, status: map[string]int{}, bodies: map[string]int{},
		digests: map[string]string{},
		marks:   map[string]string{}, ids: map[string]int{}, sent: map[string][]string{}}
	for _, name := range files {
		if err := warcs.ReadFile(name, a.take); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func (a *archive) take(rec *warcs.Record) error {
	uri := rec.Header.Get("WARC-Target-URI")
	if got, want := warcs.Digest(rec.Block), rec.Header.Get("WARC-Block-Digest"); got != want {
		return fmt.Errorf("%s: block digest %s, the record says %s", uri, got, want)
	}
	switch rec.Header.Get("WARC-Type") {
	case "request":
		if marks := rec.Header.Get("Multitext-Attributes"); marks != "" {
			a.marks[uri] = marks
		}
	case "revisit":
		a.revisit++
		a.answer(rec, uri)
	case "response":
		a.answer(rec, uri)
		return a.response(rec, uri)
	}
	return nil
}

func (a *archive) answer(rec *warcs.Record, uri string) {
	a.answers[uri]++
	a.digests[uri] = rec.Header.Get("WARC-Payload-Digest")
	a.marks[uri] = rec.Header.Get("Multitext-Attributes")
	a.ids[rec.Header.Get("WARC-Record-ID")]++
	host := hostOf(uri)
	a.sent[host] = append(a.sent[host], rec.Header.Get("WARC-Date"))
}

func (a *archive) response(rec *warcs.Record, uri string) error {
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rec.Block)), nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	sum := warcs.Digest(body)
	if want := rec.Header.Get("WARC-Payload-Digest"); sum != want {
		return fmt.Errorf("%s: payload digest %s, the record says %s", uri, sum, want)
	}
	a.status[uri] = resp.StatusCode
	if resp.StatusCode/100 == 2 && len(body) > 0 {
		a.bodies[sum]++
	}
	return nil
}

// once returns an error where something is in the archive more than once.
func (a *archive) once() error {
	for what, counts := range map[string]map[string]int{"URL": a.answers, "body": a.bodies} {
		for key, n := range counts {
			if n != 1 {
				return fmt.Errorf("%s %s is in the archive %d times", what, key, n)
			}
		}
	}
	return nil
}

// places are the outcomes of the URLs that have answers: "archive", once for each answer.
func (a *archive) places() map[string][]string {
	places := map[string][]string{}
	for url, n := range a.answers {
		places[url] = slices.Repeat([]string{"archive"}, n)
	}
	return places
}
