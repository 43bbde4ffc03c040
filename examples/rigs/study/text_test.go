package main

import (
	"os"
	"strings"
	"testing"
)

// RESULTS.md says what its text and the tables beside it say: it is never edited by hand, nor left
// behind by them.
func TestTextIsOfTheTables(t *testing.T) {
	want, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := printText(&b, "results"); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d of RESULTS.md is not what RESULTS.tmpl and results/ give: print it anew\nis   %q\nwant %q",
				i+1, line, got[min(i, len(got)-1)])
		}
	}
	if len(got) != len(strings.Split(string(want), "\n")) {
		t.Error("RESULTS.md ends too early")
	}
}
