package crawled

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestReadArchive(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "m-1.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range []struct{ kind, url, attributes string }{
		{"response", "http://a.test/", "depth=1"}, {"request", "http://a.test/", "depth=1 label=arts sure=0.5"},
		{"revisit", "http://a.test/", "label=arts"}, {"response", "http://b.test/", "depth=2"},
	} {
		z := gzip.NewWriter(f)
		fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: "+
			"<urn:uuid:00000000-0000-0000-0000-00000000000%d>\r\nWARC-Date: 2026-11-21T22:00:00Z\r\nWARC-Target-URI: "+
			"%s\r\nMultitext-Attributes: %s\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n", record.kind, i,
			record.url, record.attributes)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := ReadArchive(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a.Answers["http://a.test/"] != 2 || a.Answers["http://b.test/"] != 1 || a.Labels["http://a.test/"] != "arts" ||
		len(a.Labels) != 1 {
		t.Errorf("the archive is %+v", a)
	}
	whole, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m-2.warc.gz"), whole[:len(whole)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadArchive(dir); err == nil {
		t.Error("half a file was read")
	}
}

func TestReadStatus(t *testing.T) {
	s, err := ReadStatus([]byte(`{"dir": "x", "stages": [{"name": "pages", "records": 7, "cpu_seconds": 0.5,
		"reasons": {}, "counts": {"kept": 3}},
		{"name": "extract", "records": 4, "cpu_seconds": 0.25, "reasons": {"revisit": 2}, "counts": {}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Records("pages") != 7 || s.Count("pages", "kept") != 3 || s.Count("extract", "revisit") != 2 ||
		s.Count("none", "x") != 0 || s.CPU() != 0.75 {
		t.Errorf("the status is %+v", s)
	}
	if _, err := ReadStatus([]byte("no")); err == nil {
		t.Error("what is no status was read")
	}
}
