package draw

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"multitext/script"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each script of testdata is drawn in each form and compared with its golden file.
func TestGolden(t *testing.T) {
	forms := []struct {
		ext  string
		draw func(io.Writer, *script.Script) error
	}{{"txt", Text}, {"dot", Dot}, {"mermaid", Mermaid}, {"svg", SVG}}
	paths, err := filepath.Glob("testdata/*.toml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range append(paths, "../testdata/good/crawl.toml") {
		s, err := script.Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range forms {
			name := filepath.Base(path[:len(path)-len("toml")]) + form.ext
			t.Run(name, func(t *testing.T) { golden(t, s, filepath.Join("testdata", name), form.draw) })
		}
	}
}

func golden(t *testing.T, s *script.Script, path string, draw func(io.Writer, *script.Script) error) {
	var got bytes.Buffer
	if err := draw(&got, s); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s differs; run the test with -update and look at it\n%s", path, got.Bytes())
	}
}
