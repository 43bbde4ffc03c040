package stagetest

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
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
	info, err := e.Info(Date, httphead.Fields{{Name: "operator", Value: "the test"}})
	if err != nil {
		t.Fatal(err)
	}
	var all []warc.Packed
	for _, x := range exchanges {
		p, err := e.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	WritePages(t, path, info, all...)
	return path
}

// WritePages writes the page batch at path; info is the member of its warcinfo record, nil for none.
func WritePages(t testing.TB, path string, info []byte, all ...warc.Packed) {
	t.Helper()
	w := warc.NewWriter(output.NewRun(nil), path, nil)
	if info != nil {
		w.Info(info)
	}
	for _, p := range all {
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Pack packs one exchange.
func Pack(t testing.TB, x *warc.Exchange) warc.Packed {
	t.Helper()
	p, err := new(warc.Encoder).Encode(x)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Revisit packs the revisit record that stands for an answer whose body the original has.
func Revisit(t testing.TB, answer warc.Packed, of warc.Original) warc.Packed {
	t.Helper()
	a, err := warc.NewReader("answer", bytes.NewReader(answer.Response)).Next()
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(warc.Encoder).Revisit(a, of)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// EachAnswer verifies the page batch at path, and calls do with each of its answers and their reader.
func EachAnswer(t testing.TB, path string, do func(*warc.Reader, *warc.Answer)) {
	t.Helper()
	if err := warc.Verify(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	err := warc.Each(t.Context(), []string{path}, nil, report.New(), func(r *warc.Reader, a *warc.Answer) error {
		do(r, a)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
