package warc

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"testing"

	gowarc "github.com/internetarchive/gowarc"
)

// TestSecondOpinion has another reader open a file of every kind of record and reckon every digest.
func TestSecondOpinion(t *testing.T) {
	r, err := gowarc.NewReader(bytes.NewReader(append(goldenFile(t), goldenSecondFile(t)...)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	kinds, payloads := map[string]int{}, 0
	for {
		rec, err := r.ReadRecord()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kind := rec.Header.Get("WARC-Type")
		kinds[kind]++
		if got, err := gowarc.GetDigest(rec.Content, gowarc.SHA1); err != nil || got != rec.Header.Get("WARC-Block-Digest") {
			t.Errorf("%s of %s: block digest %s, %v", kind, rec.Header.Get("WARC-Target-URI"), got, err)
		}
		if want := rec.Header.Get("WARC-Payload-Digest"); kind == "response" && want != "" {
			payloads++
			if got := payloadDigest(t, rec); got != want {
				t.Errorf("%s: payload digest %s, want %s", rec.Header.Get("WARC-Target-URI"), got, want)
			}
		}
		rec.Content.Close()
	}
	if kinds["warcinfo"] != 1 || kinds["response"] != 5 || kinds["request"] != 9 || kinds["revisit"] != 4 || payloads != 4 {
		t.Errorf("records read: %v with %d payload digests", kinds, payloads)
	}
}

func payloadDigest(t *testing.T, rec *gowarc.Record) string {
	t.Helper()
	if _, err := rec.Content.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(rec.Content), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	sum, err := gowarc.GetDigest(resp.Body, gowarc.SHA1)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}
