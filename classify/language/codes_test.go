package language

import (
	"slices"
	"testing"
)

// TestCodes: each language that has a profile, once, English among them.
func TestCodes(t *testing.T) {
	n, err := Languages()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range n.profiles {
		want = append(want, p.language)
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(Codes(), want) || !slices.Contains(want, "en") {
		t.Errorf("%q, want %q", Codes(), want)
	}
}
