package urlbatch

import (
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/percent"
)

// model is the slow reference of a record: its URL and its attributes, which are key=value.
type model struct {
	url   string
	attrs []string
}

func modelOf(line string) *model {
	fields := strings.Split(line, "\t")
	return &model{fields[0], fields[1:]}
}

func (m *model) line() string { return strings.Join(append([]string{m.url}, m.attrs...), "\t") }

func (m *model) set(key, value string) {
	attr := key + "=" + percent.Escape(value)
	if i := slices.IndexFunc(m.attrs, func(a string) bool { return strings.HasPrefix(a, key+"=") }); i >= 0 {
		m.attrs[i] = attr
	} else {
		m.attrs = append(m.attrs, attr)
	}
}

func (m *model) del(keys ...string) {
	m.attrs = slices.DeleteFunc(m.attrs, func(a string) bool {
		key, _, _ := strings.Cut(a, "=")
		return slices.Contains(keys, key)
	})
}

// FuzzEdits holds the edits in place to the model. Each byte of steps is one edit.
func FuzzEdits(f *testing.F) {
	f.Add("http://a.example/long\tdepth=2\tvia=http://b/%20\tdepth=3", []byte{0, 1, 2, 3, 4, 5, 6, 7, 0, 3}, "x y")
	f.Add("u", []byte{4, 4, 6, 1, 5, 2, 2, 3, 0}, "")
	f.Add("u\tdepth=\tvia=1", []byte{7, 5, 3, 1, 6, 2, 4}, strings.Repeat("\xff", 100))
	f.Fuzz(func(t *testing.T, line string, steps []byte, value string) {
		source := []byte(line)
		r, err := Parse(source)
		if err != nil || len(steps) > 30 || len(value) > 200 {
			return
		}
		m := modelOf(line)
		for _, s := range steps {
			switch s % 8 {
			case 0:
				r.Set("depth", value)
				m.set("depth", value)
			case 1:
				r.Set("via", value+value)
				m.set("via", value+value)
			case 2:
				r.SetInt("depth", -1)
				m.set("depth", "-1")
			case 3:
				r.Del("depth", "absent")
				m.del("depth")
			case 4:
				r.Append([]byte("\tdepth=1\tx=%20"))
				m.attrs = append(m.attrs, "depth=1", "x=%20")
			case 5:
				r.SetURL([]byte("u" + value))
				m.url = strings.ReplaceAll(percent.Escape("u"+value), "%25", "%")
			case 6:
				r.Reset([]byte("http://other/ " + value))
				*m = model{url: strings.ReplaceAll(percent.Escape("http://other/ "+value), "%25", "%")}
			case 7:
				short := r.URLBytes()[:(len(r.URLBytes())+1)/2]
				m.url = string(short)
				r.SetURL(short)
			}
			if string(r.Line()) != m.line() || r.URL() != m.url || string(r.Attrs()) != m.line()[len(m.url):] {
				t.Fatalf("step %d made %q, want %q", s%8, r.Line(), m.line())
			}
			for _, key := range []string{"depth", "via", "x", "absent"} {
				raw, ok := r.Raw(key)
				i := slices.IndexFunc(m.attrs, func(a string) bool { return strings.HasPrefix(a, key+"=") })
				if ok != (i >= 0) || ok && string(raw) != m.attrs[i][len(key)+1:] {
					t.Fatalf("%s is %q, %v of %q", key, raw, ok, m.line())
				}
			}
		}
		if string(source) != line {
			t.Fatalf("the source became %q", source)
		}
	})
}

// TestNothingIsAllocated: a record that is used again has its memory.
func TestNothingIsAllocated(t *testing.T) {
	line, link := []byte("http://a.example/\tdepth=2\tvia=http://b.example/"),
		[]byte("http://c.example/some/where/else/that/is/long")
	shared := New("u")
	shared.SetInt(Depth, 3)
	var read, made Record
	allocs := testing.AllocsPerRun(100, func() {
		if err := read.parse(line); err != nil {
			t.Fatal(err)
		}
		read.SetInt(Depth, read.Int(Depth)+1)
		read.Set(Anchor, "some text, longer than the thirty-two bytes that a string may have on the stack")
		read.SetURL(link)
		read.Del(Via)
		made.Reset(link)
		made.Append(shared.Attrs())
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	const want = "http://c.example/some/where/else/that/is/long\tdepth=3"
	if string(made.Line()) != want || !strings.HasPrefix(string(read.Line()), want+"\tanchor=some%20text") {
		t.Errorf("made %q and %q", made.Line(), read.Line())
	}
}

// TestInt: the short way and the one by Get have the same numbers.
func TestInt(t *testing.T) {
	for value, want := range map[string]int64{
		"": 0, "0": 0, "007": 7, "-5": -5, "+5": 5, "%35": 5, "12x": 0, "1_0": 0,
		"999999999999999999": 999999999999999999, "9223372036854775807": 9223372036854775807, "9223372036854775808": 0,
	} {
		r, err := Parse([]byte("u\tn=" + value))
		if err != nil || r.Int("n") != want {
			t.Errorf("%q is %d, %v; want %d", value, r.Int("n"), err, want)
		}
	}
}
