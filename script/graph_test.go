package script

import (
	"fmt"
	"strings"
	"testing"
)

// flow makes a script of "stage: in -> out" lines with names split by spaces.
func flow(t *testing.T, lines ...string) *Script {
	t.Helper()
	text := "flow = 1\ndir = 'd'\n"
	quote := func(names string) string { return `["` + strings.Join(strings.Fields(names), `","`) + `"]` }
	seeds := map[string]bool{}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, ":")
		in, out, _ := strings.Cut(rest, "->")
		text += fmt.Sprintf("[stage.%s]\nin = %s\nrun = 'x'\n", name, quote(in))
		if strings.TrimSpace(out) != "" {
			text += "out = " + quote(out) + "\n"
		}
		for _, q := range strings.Fields(in) {
			seeds[q] = true
		}
	}
	for q := range seeds {
		text = strings.Replace(text, "dir = 'd'\n", "dir = 'd'\nseeds."+q+" = 'f'\n", 1)
	}
	return parse(t, text)
}

func ringOf(s *Script) string {
	var names []string
	for _, e := range s.MainCycle() {
		names = append(names, e.From.Name, e.Queue.Name)
	}
	return strings.Join(names, " ")
}

func TestMainCycle(t *testing.T) {
	tests := []struct {
		name, ring string
		lines      []string
	}{
		{"none", "", []string{"a: p -> q", "b: q -> r"}},
		{"self", "b q", []string{"a: p -> q", "b: q -> q"}},
		{"two", "a q b p", []string{"a: p -> q", "b: q -> p"}},
		{"longest", "a q b r c s d p", []string{"a: p -> q", "b: q -> r p", "c: r -> s q", "d: s -> p"}},
		{"apart", "c u d v e t", []string{"a: p -> q", "b: q -> p t", "c: t -> u", "d: u -> v", "e: v -> t x"}},
		{"loop inside", "a q b p", []string{"a: p -> q", "b: q r -> p r"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := flow(t, test.lines...)
			if got := ringOf(s); got != test.ring {
				t.Errorf("main cycle %q; want %q", got, test.ring)
			}
		})
	}
}

// In a flow where every stage feeds every other the search must end.
func TestMainCycleIsBounded(t *testing.T) {
	var lines []string
	var all []string
	for i := range 40 {
		all = append(all, fmt.Sprintf("q%d", i))
	}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("s%d: q%d -> %s", i, i, strings.Join(all, " ")))
	}
	if ring := flow(t, lines...).MainCycle(); len(ring) < 2 {
		t.Errorf("a cycle of %d stages", len(ring))
	}
}
