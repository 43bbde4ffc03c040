package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files into a folder, and makes the folders that they lie in.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// gather gives "name label" of each page, without the folder.
func gather(dir string, all *[]string) func(*Page) error {
	return func(p *Page) error {
		*all = append(*all, strings.TrimPrefix(p.Name, dir+"/")+" "+p.Label)
		return nil
	}
}

// TestFolder: a folder's name is the label of all below it, in order.
func TestFolder(t *testing.T) {
	dir := write(t, map[string]string{"b/2.html": "x", "a/deep/er/1.txt": "x", "a/0.txt": "x", "README": "x",
		".git/a/b": "x", "a/.hidden": "x"})
	var got []string
	r := &Reader{Max: 100}
	if err := r.Each(t.Context(), []string{dir}, gather(dir, &got)); err != nil {
		t.Fatal(err)
	}
	if want := "a/0.txt a;a/deep/er/1.txt a;b/2.html b"; strings.Join(got, ";") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLinks: the folder may be behind a link. A link in it is an error, for a label would else be lost.
func TestLinks(t *testing.T) {
	dir := write(t, map[string]string{"kinds/bad/1": "x", "elsewhere/1": "x"})
	link := func(to, from string) {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	link("kinds", "other")
	read := func(folder string) (got []string, err error) {
		r := &Reader{Max: 100}
		err = r.Each(t.Context(), []string{filepath.Join(dir, folder)}, gather(dir, &got))
		return got, err
	}
	if got, err := read("other"); err != nil || strings.Join(got, ";") != "other/bad/1 bad" {
		t.Errorf("%q, %v", got, err)
	}
	link("elsewhere", "kinds/good")
	if _, err := read("kinds"); err == nil || !strings.Contains(err.Error(), "kinds/good is a symbolic link") {
		t.Errorf("a folder: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "kinds/good"), filepath.Join(dir, ".good")); err != nil {
		t.Fatal(err)
	}
	link("elsewhere/1", "kinds/bad/2")
	if _, err := read("kinds"); err == nil || !strings.Contains(err.Error(), "kinds/bad/2 is a symbolic link") {
		t.Errorf("a file: %v", err)
	}
}

// TestList: files that a list names, relative to it; what is no line of one is said with its place.
func TestList(t *testing.T) {
	dir := write(t, map[string]string{"pages/1": "x", "list.tsv": "# a list\n\npages/1\tFine arts\r\n",
		"bad.tsv": "pages/1\tx\nno tab", "gone.tsv": "pages/2\tx"})
	var got []string
	r := &Reader{Max: 100}
	if err := r.List(t.Context(), filepath.Join(dir, "list.tsv"), gather(dir, &got)); err != nil ||
		strings.Join(got, ";") != "pages/1 Fine arts" {
		t.Errorf("%q, %v", got, err)
	}
	for name, want := range map[string]string{"bad.tsv": `bad.tsv:2: want a name, a tab and a label, not "no tab"`,
		"gone.tsv": "pages/2: no such file", "none.tsv": "read labels"} {
		if err := r.List(t.Context(), filepath.Join(dir, name), gather(dir, &got)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFiles: a header is no text, whoever wrote it; a text that begins with a colon is no header.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name, file, contentType, text string
		status                        int
	}{
		{"text", "Rocks are old.\n\nVery old.", "text/plain", "Rocks are old.\n\nVery old.", 200},
		{"a title", "Geology: rocks\n\nThey are old.", "text/plain", "Geology: rocks\n\nThey are old.", 200},
		{"HTML", "\n<HTML><p>x", "text/html", "\n<HTML><p>x", 200},
		{"HTML behind a comment of words", "A page\n<title>x", "text/html", "A page\n<title>x", 200},
		{"HTTP", "HTTP/1.0 404 Not Found\r\nContent-Type: text/html; charset=x\r\n\r\n<p>x", "text/html; charset=x",
			"<p>x", 404},
		{"HTTP without fields", "HTTP/1.0 200 OK\r\n\r\n<p>x", "text/html", "<p>x", 200},
		{"a header without status", "Date: today\nServer: x\nContent-Type: text/html\n\n<p>x", "text/html", "<p>x",
			200},
		{"mail", "From: a@b\nSubject: rocks\n\tand basalt\n\nThey are old.", "text/plain", "They are old.", 200},
		{"half a header", "From: a@b\nSubject: rocks\nno field\n\nx", "text/plain",
			"From: a@b\nSubject: rocks\nno field\n\nx", 200},
		{"a header without end", "From: a@b\nSubject: rocks", "text/plain", "From: a@b\nSubject: rocks", 200},
		{"nothing", "", "text/plain", "", 200},
	} {
		p := parse([]byte(c.file))
		if p.ContentType != c.contentType || string(p.Body) != c.text || p.Status != c.status {
			t.Errorf("%s: status %d, %q, %q", c.name, p.Status, p.ContentType, p.Body)
		}
	}
}

// TestBound: of a file no more is read than was asked for.
func TestBound(t *testing.T) {
	dir := write(t, map[string]string{"long": strings.Repeat("granite ", 1000)})
	err := (&Reader{Max: 80}).Each(t.Context(), []string{filepath.Join(dir, "long")}, func(p *Page) error {
		if len(p.Body) != 80 {
			t.Errorf("%d bytes were read", len(p.Body))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestStandardInput: a page may come by a pipe; a batch is told from it by its first bytes, and a
// file that is none of both is refused.
func TestStandardInput(t *testing.T) {
	dir := write(t, map[string]string{"x.warc": "WARC/1.1\r\n"})
	for in, want := range map[string]string{"<p>granite": "standard input ", "": "standard input ",
		"\x1f\x8b\x08": "damaged", "WARC/1.0\r\n": "not compressed"} {
		var got []string
		r := &Reader{Max: 100, Stdin: strings.NewReader(in)}
		if err := r.Each(t.Context(), []string{"-"}, gather(dir, &got)); err != nil {
			got = []string{err.Error()}
		}
		if !strings.Contains(strings.Join(got, ";"), want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if err := (&Reader{Max: 100}).Each(t.Context(), []string{filepath.Join(dir, "x.warc")},
		gather(dir, nil)); err == nil || !strings.Contains(err.Error(), "x.warc: this WARC file is not compressed") {
		t.Errorf("of a file: %v", err)
	}
}

// FuzzParse: any file is a page whose text is a part of it.
func FuzzParse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>"))
	f.Add([]byte("A: b\n c\nD: e\n\n"))
	f.Add([]byte("HTTP/ \n:\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := parse(b)
		if !strings.HasSuffix(string(b), string(p.Body)) || p.ContentType == "" {
			t.Errorf("%q of %q, %q", p.Body, b, p.ContentType)
		}
	})
}
