package main

import (
	"io"
	"net/http"
	"testing"
)

// ask gives the answer to a request that has etag in If-None-Match, and its body.
func ask(t *testing.T, client *http.Client, url, etag string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestNotModified(t *testing.T) {
	srv, client := start(t, newSynthetic(shape{hosts: 2, pages: 30, seed: 1}), newFaults())
	const front = "http://h000.test/"
	first, page := ask(t, client, front, "")
	etag := first.Header.Get("ETag")
	if first.StatusCode != 200 || etag == "" || page == "" {
		t.Fatalf("%s answers %d, ETag %q, %d bytes", front, first.StatusCode, etag, len(page))
	}
	if again, body := ask(t, client, front, etag); again.StatusCode != 304 || body != "" ||
		again.Header.Get("ETag") != etag || again.Header.Get("Content-Length") != "" {
		t.Errorf("asked with its ETag it answers %d, %q, %d bytes", again.StatusCode, again.Header, len(body))
	}
	if again, body := ask(t, client, front, `"another"`); again.StatusCode != 200 || body != page {
		t.Errorf("asked with another ETag it answers %d and %d bytes", again.StatusCode, len(body))
	}
	if other, _ := ask(t, client, "http://h001.test/", etag); other.StatusCode != 200 ||
		other.Header.Get("ETag") == etag {
		t.Errorf("another page answers %d, ETag %q", other.StatusCode, other.Header.Get("ETag"))
	}
	if gone, _ := ask(t, client, "http://h000.test/none", ""); gone.StatusCode != 404 || gone.Header.Get("ETag") != "" {
		t.Errorf("what is not there answers %d, ETag %q", gone.StatusCode, gone.Header.Get("ETag"))
	}
	if c := srv.ledger.stats().Kinds[kindPage]; c.Distinct != 2 || c.Repeated != 2 {
		t.Errorf("counted are %+v, want two pages and two repeated fetches", c)
	}
}
