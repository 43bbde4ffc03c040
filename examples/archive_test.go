package examples

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	gowarc "github.com/internetarchive/gowarc"
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
	a := &archive{answers: map[string]int{}, status: map[string]int{}, bodies: map[string]int{}, digests: map[string]string{},
		marks: map[string]string{}, ids: map[string]int{}, sent: map[string][]string{}}
	for _, name := range files {
		if err := a.readFile(name); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return a
}

func (a *archive) readFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gowarc.NewReader(f)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.ReadRecord()
		if errors.Is(err, io.EOF) || err == nil && rec == nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := a.take(rec); err != nil {
			return fmt.Errorf("record of %s: %w", rec.Header.Get("WARC-Target-URI"), err)
		}
		rec.Content.Close()
	}
}

func (a *archive) take(rec *gowarc.Record) error {
	block, err := io.ReadAll(rec.Content)
	if err != nil {
		return err
	}
	sum, err := gowarc.GetDigest(bytes.NewReader(block), gowarc.SHA1)
	if want := rec.Header.Get("WARC-Block-Digest"); err != nil || sum != want {
		return fmt.Errorf("block digest %s (%v), the record says %s", sum, err, want)
	}
	uri := rec.Header.Get("WARC-Target-URI")
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
		return a.response(rec, uri, block)
	}
	return nil
}

func (a *archive) answer(rec *gowarc.Record, uri string) {
	a.answers[uri]++
	a.digests[uri] = rec.Header.Get("WARC-Payload-Digest")
	a.marks[uri] = rec.Header.Get("Multitext-Attributes")
	a.ids[rec.Header.Get("WARC-Record-ID")]++
	host := hostOf(uri)
	a.sent[host] = append(a.sent[host], rec.Header.Get("WARC-Date"))
}

func (a *archive) response(rec *gowarc.Record, uri string, block []byte) error {
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	sum, err := gowarc.GetDigest(bytes.NewReader(body), gowarc.SHA1)
	if want := rec.Header.Get("WARC-Payload-Digest"); err != nil || sum != want {
		return fmt.Errorf("payload digest %s (%v), the record says %s", sum, err, want)
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
