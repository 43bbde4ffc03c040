package crash

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// trace makes operations of words: "write d/f text", "rename d/f e/f", …
func trace(text string) (ops []Op) {
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			op := Op{Kind: words[0], Path: words[1]}
			switch {
			case op.Kind == Rename || op.Kind == Link:
				op.To = words[2]
			case len(words) > 2:
				op.Data = []byte(words[2])
			}
			ops = append(ops, op)
		}
	}
	return ops
}

func (t Tree) String() string {
	var words []string
	for _, name := range t.names() {
		if strings.HasSuffix(name, "/") {
			words = append(words, name)
		} else {
			words = append(words, fmt.Sprintf("%s=%q", name, t[name]))
		}
	}
	return strings.Join(words, " ")
}

// The states after a cut are exactly those that the rules of Model allow.
func TestStatesOfACut(t *testing.T) {
	base := Tree{"d/": nil, "e/": nil, "d/old": []byte("o")}
	for name, tc := range map[string]struct {
		trace string
		want  []string // what is there, d/ and e/ left out
	}{
		"nothing done": {"", []string{`d/old="o"`}},
		"a file and its content": {"create d/f\n write d/f ab", []string{
			`d/old="o"`, `d/f="" d/old="o"`, `d/f="a" d/old="o"`, `d/f="ab" d/old="o"`,
			`d/f="\x00\x00" d/old="o"`, `d/f="a\x00" d/old="o"`}},
		"a content whose name is not durable": {"create d/f\n write d/f ab\n sync d/f", []string{
			`d/old="o"`, `d/f="ab" d/old="o"`}},
		"a name whose content is not durable": {"create d/f\n write d/f a\n sync d", []string{
			`d/f="" d/old="o"`, `d/f="\x00" d/old="o"`, `d/f="a" d/old="o"`}},
		"all durable":       {"create d/f\n write d/f ab\n sync d/f\n sync d", []string{`d/f="ab" d/old="o"`}},
		"a removal":         {"remove d/old", []string{``, `d/old="o"`}},
		"a durable removal": {"remove d/old\n sync d", []string{``}},
		"two changes in any order": {"remove d/old\n create d/f", []string{
			``, `d/old="o"`, `d/f=""`, `d/f="" d/old="o"`}},
		"a rename is one step":              {"rename d/old e/new", []string{`d/old="o"`, `e/new="o"`}},
		"a rename is durable by its source": {"rename d/old e/new\n sync d", []string{`e/new="o"`}},
		"a rename is durable by its target": {"rename d/old e/new\n sync e", []string{`e/new="o"`}},
		"another name":                      {"link d/old e/new", []string{`d/old="o"`, `d/old="o" e/new="o"`}},
		"a name instead of the other": {"link d/old e/new\n sync e\n remove d/old",
			[]string{`e/new="o"`, `d/old="o" e/new="o"`}},
		"a replacement": {"create d/.f\n write d/.f n\n sync d/.f\n sync d\n rename d/.f d/old", []string{
			`d/.f="n" d/old="o"`, `d/old="n"`}},
		"a directory goes when it is empty": {"rename d/old e/old\n remove d",
			[]string{`d/old="o"`, `e/old="o"`, `e/old="o" -d`}},
		"a durable removal of a directory": {"rename d/old e/old\n remove d\n sync .", []string{`e/old="o" -d`}},
		"an appended line": {"write d/old ab\n sync d/old\n write d/old c",
			[]string{`d/old="oab"`, `d/old="oab\x00"`, `d/old="oabc"`}},
		"a failed sync loses what it was to keep": {"write d/old a\n lose d/old\n write d/old b\n sync d/old",
			[]string{`d/old="o\x00b"`}},
		"a file of another process": {"found d/f x\n found d/old y\n sync d/f\n sync d",
			[]string{`d/f="x" d/old="o"`}},
	} {
		t.Run(name, func(t *testing.T) {
			ops := trace(tc.trace)
			m, err := NewModel(base, ops)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for seed := range uint64(2000) {
				tree := m.State(len(ops), rand.New(rand.NewPCG(seed, 0)))
				if _, ok := tree["d/"]; !ok {
					tree["~-d"] = nil
				}
				delete(tree, "d/")
				delete(tree, "e/")
				got[strings.Replace(tree.String(), `~-d=""`, "-d", 1)] = true
			}
			for _, want := range tc.want {
				if !got[want] {
					t.Errorf("never %s", want)
				}
				delete(got, want)
			}
			for state := range got {
				t.Errorf("it must not be %s", state)
			}
		})
	}
}

// A sector of a longer write can be missing between others that are there.
func TestTornInTheMiddle(t *testing.T) {
	text := strings.Repeat("x", 3*sector)
	m, err := NewModel(Tree{}, []Op{{Kind: Create, Path: "f"}, {Kind: Write, Path: "f", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	want := text[:sector] + strings.Repeat("\x00", sector) + text[:sector]
	for seed := range uint64(2000) {
		if string(m.State(2, rand.New(rand.NewPCG(seed, 0)))["f"]) == want {
			return
		}
	}
	t.Error("in 2,000 cuts the middle sector was never lost alone")
}

// A stage's file may be there from the beginning of its run.
func TestHoist(t *testing.T) {
	got := hoist(trace(`mkdir c/work/7
		write c/work/7/run x
		write c/log line
		found c/work/7/q/f y
		sync c/work/7/q/f
		found c/stray z`))
	var kinds []string
	for _, op := range got {
		kinds = append(kinds, op.Kind+" "+op.Path)
	}
	want := []string{"mkdir c/work/7", "write c/work/7/run", "found c/work/7/q/f", "write c/log", "sync c/work/7/q/f",
		"found c/stray"}
	if !slices.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
}
