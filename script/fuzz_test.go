package script

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// addScripts adds every script of testdata to the corpus.
func addScripts(f *testing.F) {
	text, err := os.ReadFile("testdata/good/crawl.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	paths, _ := filepath.Glob("testdata/bad/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Add([]byte("\ufeffa.b.\"c d\" = { x = [ [1, 2], ['''\n]''', \"\"\"a\\\n\"\"\"\"\"] ], " +
		"y = 1979-05-27 07:32:00 } # end\r\n[[t . 'u']]\r\n"))
}

// FuzzParse: any bytes give a script or errors with places that exist.
func FuzzParse(f *testing.F) {
	addScripts(f)
	none := func(string) (string, []string) { return "", []string{"fetch"} }
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, find := range []Finder{nil, none} {
			s, err := Parse("testdata/fuzz.toml", text, find)
			if (s == nil) != (err != nil) {
				t.Fatalf("script %v with error %v", s, err)
			}
			var errs Errors
			if err != nil && !errors.As(err, &errs) {
				t.Fatalf("a %T: %v", err, err)
			}
			lines := strings.Split(string(text), "\n")
			for _, e := range errs {
				if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Col > len(lines[e.Line-1])+1 || e.Msg == "" {
					t.Errorf("no such place: %d:%d %s", e.Line, e.Col, e.Msg)
				}
				if strings.ContainsAny(e.Error(), "\x1b\r\x00\x7f") {
					t.Errorf("control characters in %q", e.Error())
				}
			}
			if s != nil {
				use(s)
			}
		}
	})
}

// FuzzVars: a value from outside arrives whole, changes nothing else, and the text
// that is kept says the same without it.
func FuzzVars(f *testing.F) {
	const rest = "\n[stage.one]\nevery = '1h'\nrun = 'one {a}'\n"
	for _, vars := range []string{"[vars]\na = \"\"", "vars.a = '''\n'''", "vars = { b = '', a = \"\\\"\" }",
		"['vars']\n\"\\u0061\" = \"\"\"\"\"\"\"\"", "[vars]\nb = 'x'"} {
		f.Add(vars, "v\"\\\n\x1b'")
	}
	f.Fuzz(func(t *testing.T, vars, value string) {
		text := []byte("flow = 1\ndir = 'd'\n" + vars + rest)
		plain, err := Parse("x.toml", text, nil)
		s, err2 := Parse("x.toml", text, nil, Var{"a", value})
		if err != nil || err2 != nil {
			return
		}
		for i, v := range s.Vars {
			if want := plain.Vars[i]; v.Name == "a" && v.Value != value || v.Name != want.Name ||
				v.Name != "a" && v != want {
				t.Errorf("%q in %q became %q", value, text, s.Vars)
			}
		}
		again, err := Parse("x.toml", s.Text, nil)
		if err != nil || dump(again) != dump(s) {
			t.Errorf("%q in %q: the text that is kept, %q, says something else: %v", value, text, s.Text, err)
		}
	})
}

// use calls all methods of a script.
func use(s *Script) {
	s.MainCycle()
	for _, stage := range s.Stages {
		stage.Argv(mark)
	}
	for _, service := range s.Services {
		service.Argv(mark)
	}
}
