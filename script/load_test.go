package script

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata")

// programs is a Finder that knows a few programs.
func programs(name string) (string, []string) {
	known := strings.Fields("restrict filter scramble batch resolve fetch xdup extract web bash")
	if slices.Contains(known, name) {
		return "/programs/" + name, nil
	}
	return "", known
}

// parse parses a script that is right, in the folder /scripts, without a look at the disk.
func parse(t *testing.T, text string, vars ...Var) *Script {
	t.Helper()
	s, err := Parse("/scripts/x.toml", []byte(text), nil, vars...)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return s
}

// Each archive of testdata/bad holds a script, the files it needs, and the
// errors it must print.
func TestBadScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) { testBad(t, path) })
	}
}

func testBad(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	want := ""
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		if f.Name == "errors" {
			want = string(f.Data)
			return true
		}
		os.MkdirAll(filepath.Dir(f.Name), 0o755)
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		return false
	})
	s, err := Load("crawl.toml", programs)
	if err == nil || s != nil {
		t.Fatalf("Load = %v, %v; want errors", s, err)
	}
	if _, ok := err.(Errors); !ok {
		t.Fatalf("the error is a %T", err)
	}
	got := strings.ReplaceAll(err.Error(), dir, "$DIR") + "\n"
	if *update {
		archive.Files = append(archive.Files, txtar.File{Name: "errors", Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestManyErrorsAreCut(t *testing.T) {
	text := "flow = 1\ndir = 'x'\n"
	for i := range 300 {
		text += "k" + strings.Repeat("x", i) + " = 1\n"
	}
	_, err := Parse("crawl.toml", []byte(text), nil)
	errs, _ := err.(Errors)
	if len(errs) != maxErrors || errs[maxErrors-1].Hint != "there are more errors than are shown" {
		t.Errorf("%d errors, the last hints %q", len(errs), errs[len(errs)-1].Hint)
	}
}

func TestTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.toml")
	if err := os.WriteFile(path, []byte(strings.Repeat("#\n", maxScript)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path, nil)
	if errs, ok := err.(Errors); !ok || !strings.Contains(errs[0].Msg, "longer than 256 kB") {
		t.Errorf("Load = %v", err)
	}
}

func TestNoFile(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.toml"), nil)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load = %v", err)
	}
}

// Deep nesting and many keys take no time, and no stack that ends the program.
func TestHostileShapes(t *testing.T) {
	const n = 60_000
	wide := ""
	for i := range 9_000 {
		wide += fmt.Sprintf("k%d = [%d]\n", i, i)
	}
	tests := []struct{ name, text, want string }{
		{"dots", "a" + strings.Repeat(".a", n) + " = 1", "unknown key"},
		{"header", "[a" + strings.Repeat(".a", n) + "]", "unknown key"},
		{"lists", "a = " + strings.Repeat("[", n) + strings.Repeat("]", n), "nested more than"},
		{"tables", "a = " + strings.Repeat("{a = ", n/2) + "1" + strings.Repeat("}", n/2), "nested more than"},
		{"wide", wide, "unknown key"},
	}
	for _, test := range tests {
		start := time.Now()
		_, err := Parse("x.toml", []byte(test.text), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %.200v", test.name, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: took %v", test.name, took)
		}
	}
}
