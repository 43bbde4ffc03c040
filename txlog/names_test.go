package txlog

import (
	"slices"
	"strings"
	"testing"
)

// What is packed comes out again, whatever is in it and however long it is.
func TestNamesArePacked(t *testing.T) {
	short := Name("frontier/" + FileName("m", 1, 1, "zst"))
	want := []Name{"", short, "a\nb/m", "", Name(strings.Repeat("x", packSize+1)), "", short, Name(strings.Repeat("y", packSize))}
	for range 4 * packSize / len(short) {
		want = append(want, short)
	}
	for n := range len(want) {
		if n > 20 && n < len(want)-1 {
			continue
		}
		p := names{}
		for _, name := range want[:n] {
			p.add(name)
		}
		if got := slices.Collect(p.all); !slices.Equal(got, want[:n]) {
			t.Errorf("of %d names, %d came out, not the same", n, len(got))
		}
		for name := range p.all {
			if name != want[0] {
				t.Errorf("the first is %q", name)
			}
			break
		}
	}
}
