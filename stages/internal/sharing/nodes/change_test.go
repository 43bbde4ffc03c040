package nodes

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestGoldenChange holds the keys joined and leaves: the file is kept for ever.
func TestGoldenChange(t *testing.T) {
	s, err := Load("testdata/v1-change.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		set  *Set
		want []string
	}{
		{"all", s, []string{"north", "south", "east", "west", "middle"}},
		{"remembering", s.Remembering(), []string{"north", "south", "east", "west"}},
		{"fetching", s.Fetching(), []string{"north", "south", "east"}},
		{"fetching of a file without changes", golden(t).Fetching(), []string{"arts", "business", "world"}},
	} {
		var got []string
		for _, n := range c.set.All() {
			got = append(got, n.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if !bytes.HasSuffix(s.Owners(), []byte("\njoined true leaves true\n")) ||
		bytes.Contains(golden(t).Owners(), []byte("joined")) {
		t.Errorf("Owners: %s", s.Owners())
	}
	// Crawlers whose files differ in who leaves do not agree.
	if four := changed(t, 0, 0); bytes.Equal(four.Owners(), changed(t, 0, 1).Owners()) {
		t.Errorf("Owners are the same when one leaves: %s", four.Owners())
	}
}

// changed returns four nodes and so many that joined, of which the last leave.
func changed(t *testing.T, joined, leaving int) *Set {
	t.Helper()
	text := "nodes = 1\nurl = \"file:$FROM/$TO\"\n"
	for i := range 4 + joined {
		text += fmt.Sprintf("[[node]]\nname = \"n%d\"\njoined = %t\nleaves = %t\n", i, i >= 4, i >= 4+joined-leaving)
	}
	s, err := Parse("nodes.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChangeMovesItsPart has four nodes grow to five and shrink to three. The one that joins gets a
// fifth, a part of each of the others; of the two that leave each of the three that stay gets a third;
// nothing else moves. Which node remembers a URL never changes.
func TestChangeMovesItsPart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	four, five, three := changed(t, 0, 0), changed(t, 1, 0), changed(t, 1, 2)
	const sums = 64_000
	grown, shrunk := map[string]int{}, map[string]int{}
	for range sums {
		sum := rnd.Uint64()
		for _, set := range []*Set{five, three} {
			if set.Remembering().ByHash(sum).Number != four.ByHash(sum).Number {
				t.Fatalf("another node remembers %x", sum)
			}
		}
		was, is, then := four.Fetching().ByHash(sum), five.Fetching().ByHash(sum), three.Fetching().ByHash(sum)
		if was.Name != is.Name {
			grown[was.Name+is.Name]++
		}
		if is.Name != then.Name {
			shrunk[is.Name+then.Name]++
		}
	}
	near := func(what string, got map[string]int, moves ...string) {
		share := float64(sums) / 5 / float64(len(moves))
		if what == "shrunk" {
			share *= 2
		}
		if len(got) != len(moves) {
			t.Errorf("%s: %v", what, got)
		}
		for _, move := range moves {
			if math.Abs(float64(got[move])-share) > 6*math.Sqrt(share) {
				t.Errorf("%s: %d of %d hashes moved from and to %s, want %.0f", what, got[move], sums, move, share)
			}
		}
	}
	near("grown", grown, "n0n4", "n1n4", "n2n4", "n3n4")
	near("shrunk", shrunk, "n3n0", "n3n1", "n3n2", "n4n0", "n4n1", "n4n2")
}

func TestChangeErrors(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"joined = true", "joined = true", `n:3: the node "a" is the first and has joined: one node at least`},
		{"leaves = true", "leaves = true", `n:3: the node "a" is the first and leaves: one node at least must stay`},
		{"joined = true", "", `n:6: the node "b" has not joined but is behind one that has: append nodes`},
		{"leaves = true", "", `n:6: the node "b" stays but is behind one that leaves: only the last nodes can`},
		{"", "join = true", `n:8: unknown key "join"; did you mean "joined"?`},
	} {
		_, err := Parse("n", fmt.Appendf(nil, "nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"a\"\n%s\n"+
			"[[node]]\nname = \"b\"\n%s\n", c.first, c.second))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q:\n%v\nwant:\n%s", c.first, c.second, err, c.want)
		}
	}
}
