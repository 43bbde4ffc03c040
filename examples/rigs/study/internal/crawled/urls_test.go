package crawled

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestReasons(t *testing.T) {
	dir := t.TempDir()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a-1.zst": "http://a.test/\tdepth=1\treason=no-answer\nhttp://b.test/reason=x\treason=robots\nhttp://c.test/\n",
		"a-2.zst": "http://d.test/\treason=no-answer\n",
		"b.txt":   "no batch",
	} {
		text := []byte(text)
		if filepath.Ext(name) == ".zst" {
			text = z.EncodeAll(text, nil)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Reasons(dir)
	if want := map[string]int{"no-answer": 2, "robots": 1}; err != nil || !maps.Equal(got, want) {
		t.Errorf("the reasons are %v, %v; want %v", got, err, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "a-3.zst"), z.EncodeAll(make([]byte, 1000), nil)[:12],
		0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Reasons(dir); err == nil {
		t.Error("a batch that is cut off is read")
	}
}
