package stagetest

import (
	"path/filepath"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/web/httphead"
)

// Date is that of the answers in page batches.
var Date = time.Unix(1_800_000_000, 0)

// Answer returns the exchange of a URL, a line of a URL batch, and what the server sent.
func Answer(t testing.TB, line, response string) *warc.Exchange {
	t.Helper()
	rec, err := urlbatch.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return &warc.Exchange{Record: rec, Date: Date, Request: []byte("GET / HTTP/1.1\r\n\r\n"),
		Response: []byte(response)}
}

// Pages writes a page batch of exchanges, with a warcinfo record, and returns its path.
func Pages(t testing.TB, exchanges ...*warc.Exchange) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pages.warc.gz")
	e := new(warc.Encoder)
	w := warc.NewWriter(output.NewRun(nil), path, nil)
	info, err := e.Info(Date, httphead.Fields{{Name: "operator", Value: "the test"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Info(info)
	for _, x := range exchanges {
		p, err := e.Encode(x)
		if err == nil {
			err = w.Write(p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
