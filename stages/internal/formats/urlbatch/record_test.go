package urlbatch

import (
	"bytes"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, line := range []string{
		"http://a/",
		"http://a/?q=1\tdepth=2\tvia=http://b/\tunknown_9=",
		"x\tk==%",
		strings.Repeat("u", MaxLine),
	} {
		r, err := Parse([]byte(line))
		if err != nil {
			t.Errorf("Parse(%.40q): %v", line, err)
			continue
		}
		if url, _, _ := strings.Cut(line, "\t"); r.URL() != url || string(r.Line()) != line {
			t.Errorf("Parse(%.40q) = %.40q of line %.40q", line, r.URL(), r.Line())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{
		"", "#comment", "\tdepth=1", "a b", "a\x00", "ü", "a\r", "\x1b[2J",
		"u\t", "u\tdepth", "u\t=1", "u\tDepth=1", "u\ta-b=1", "u\tk=a b", "u\tk=\x1b", "u\tk=1\t",
		strings.Repeat("u", MaxLine+1),
	} {
		if r, err := Parse([]byte(line)); err == nil {
			t.Errorf("Parse(%.40q) = %.40q, want an error", line, r.Line())
		}
	}
}

func TestAttributes(t *testing.T) {
	r, err := Parse([]byte("http://a/\tdepth=2\tvia=http://b/%20c\tdepthx=7\ttries=x\tbad=%zz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{"depth", "2", true}, {"via", "http://b/ c", true}, {"bad", "%zz", true}, {"dept", "", false},
		{"http", "", false},
	} {
		if v, ok := r.Get(c.key); v != c.value || ok != c.ok {
			t.Errorf("Get(%q) = %q, %v", c.key, v, ok)
		}
	}
	if r.Int("depth") != 2 || r.Int("tries") != 0 || r.Int("absent") != 0 {
		t.Errorf("Int: %d, %d, %d", r.Int("depth"), r.Int("tries"), r.Int("absent"))
	}
	r.SetInt("depth", 3)
	r.Set("reason", "a b\n")
	r.Del("via", "absent", "bad")
	r.SetURL([]byte("http://c/\n"))
	const want = "http://c/%0A\tdepth=3\tdepthx=7\ttries=x\treason=a%20b%0A"
	if string(r.Line()) != want {
		t.Errorf("line %q, want %q", r.Line(), want)
	}
}

func TestDelRemovesAll(t *testing.T) {
	r, _ := Parse([]byte("u\ta=1\tb=2\ta=3"))
	r.Del("a")
	if string(r.Line()) != "u\tb=2" {
		t.Errorf("line %q", r.Line())
	}
}

// TestDelOfMany holds that a line of nothing but the key is copied once, not once for each.
func TestDelOfMany(t *testing.T) {
	line := []byte("u" + strings.Repeat("\ta=1", 10_000) + "\tb=2")
	allocs := testing.AllocsPerRun(1, func() {
		r, err := Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if r.Del("c", "a"); string(r.Line()) != "u\tb=2" {
			t.Errorf("line %.40q", r.Line())
		}
	})
	if allocs > 100 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestCopyOnChange: a change of a clone, or of a record, must not reach the other's bytes.
func TestCopyOnChange(t *testing.T) {
	line := []byte("u\ta=1\tb=2")
	r, _ := Parse(line)
	c := r.Clone()
	c.Set("a", "9")
	r.Del("a")
	if string(c.Line()) != "u\ta=9\tb=2" || string(r.Line()) != "u\tb=2" || string(line) != "u\ta=1\tb=2" {
		t.Errorf("clone %q, record %q, source %q", c.Line(), r.Line(), line)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("http://a/\tdepth=2\tvia=http://b/%20"), "via", "x y")
	f.Add([]byte("u\ta=1\ta=2\t_=%zz"), "a", "\xff\t\n")
	f.Fuzz(func(t *testing.T, line []byte, key, value string) {
		r, err := Parse(line)
		if want := slowParse(string(line)); err != want {
			t.Fatalf("Parse(%q): %v, want %v", line, err, want)
		}
		if err != nil || !validKey(key) {
			return
		}
		if !bytes.Equal(r.Line(), line) {
			t.Fatalf("%q became %q", line, r.Line())
		}
		url := r.URL()
		r.Set(key, value)
		if len(r.Line()) > MaxLine {
			return
		}
		again, err := Parse(r.Line())
		if err != nil {
			t.Fatalf("Set made the line %q: %v", r.Line(), err)
		}
		if got, ok := again.Get(key); got != value || !ok || again.URL() != url {
			t.Fatalf("Get(%q) = %q, %v of %q", key, got, ok, again.Line())
		}
		r.Del(key)
		if _, ok := r.Get(key); ok || r.URL() != url {
			t.Fatalf("Del left %q", r.Line())
		}
	})
}

func BenchmarkParse(b *testing.B) {
	line := []byte("http://www.example.org/some/where/page.html\tdepth=3\tvia=http://www.example.org/some/")
	b.SetBytes(int64(len(line)))
	var r Record
	for b.Loop() {
		if err := r.parse(line); err != nil {
			b.Fatal(err)
		}
	}
}

// slowParse is what parse is held to: it takes the line apart and looks at every byte.
func slowParse(line string) error {
	url, rest, more := strings.Cut(line, "\t")
	switch {
	case len(line) > MaxLine:
		return errTooLong
	case url == "" || url[0] == '#':
		return errNoURL
	case slowVisible([]byte(url)) < len(url):
		return errByte
	}
	for more {
		var attr string
		attr, rest, more = strings.Cut(rest, "\t")
		key, value, ok := strings.Cut(attr, "=")
		if !ok || !validKey(key) {
			return errAttr
		}
		if slowVisible([]byte(value)) < len(value) {
			return errByte
		}
	}
	return nil
}

// validKey is what the format asks of a key.
func validKey(key string) bool {
	return len(key) > 0 && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
