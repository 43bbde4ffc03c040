package warc

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConversion: the record is whole, a reader of answers passes over it, and another text has
// another ID.
func TestConversion(t *testing.T) {
	e := new(Encoder)
	made := file(t, testExchange(t, "http://example.org/a", okHead, "<p>golden"))
	a := next(t, reader(made))
	ids := map[string]bool{}
	for _, text := range []string{"golden", "golden again", ""} {
		p, err := e.Conversion(a, []byte(text), "eng")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.warc.gz")
		if err := os.WriteFile(path, append(p.Response, made...), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), path, nil); err != nil {
			t.Error(err)
		}
		r := reader(p.Response)
		m, err := r.member()
		if err != nil {
			t.Fatal(err)
		}
		block, err := m.whole()
		if err != nil || string(block) != text || m.recordType() != "conversion" ||
			m.fields.Get("WARC-Refers-To") != a.Field("WARC-Record-ID") ||
			!strings.HasPrefix(m.fields.Get("WARC-Date"), testDate.UTC().Format("2006-01-02T15:04:05")) {
			t.Errorf("%v, %q, %v", err, block, m.fields)
		}
		ids[m.fields.Get("WARC-Record-ID")] = true
		if _, err := reader(p.Response).Next(); err != io.EOF {
			t.Errorf("it is read as an answer: %v", err)
		}
	}
	if len(ids) != 3 {
		t.Errorf("the IDs are %v", ids)
	}
}
