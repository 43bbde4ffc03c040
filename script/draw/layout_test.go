package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"multitext/script"
)

// randomScript makes a legal script of any shape: cycles, stages beside them,
// clocks, shown states, long names, parts that nothing ties together.
func randomScript(t *testing.T, r *rand.Rand) *script.Script {
	t.Helper()
	stages, queues := 1+r.IntN(12), 1+r.IntN(12)
	text := "flow = 1\ndir = 'd'\n"
	for q := range queues {
		text += fmt.Sprintf("seeds.q%d%s = \"a<&>'\\\"%d\"\n", q, strings.Repeat("x", q*q%28), q)
	}
	name := func() string { q := r.IntN(queues); return fmt.Sprintf("'q%d%s'", q, strings.Repeat("x", q*q%28)) }
	for s := range stages {
		text += fmt.Sprintf("[stage.s%d]\nrun = 'x'\nstate = 'st%d'\nevery = '1h'\nout = [%s, 'own%d']\n", s, s, name(),
			s)
		if r.IntN(4) > 0 {
			text += "in = " + name() + "\n"
		}
		if other := r.IntN(stages); other != s && r.IntN(3) == 0 {
			text += fmt.Sprintf("read.r%d = 'st%d'\n", s, other)
		}
	}
	text = dropUnread(text)
	s, err := script.Parse("random.toml", []byte(text), nil)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return s
}

// dropUnread takes out the seeds of queues that no stage reads.
func dropUnread(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "seeds."); ok {
			queue, _, _ := strings.Cut(rest, " ")
			if !strings.Contains(text, "in = '"+queue+"'\n") {
				continue
			}
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// In every picture each node has its place, no two overlap, and the SVG is
// well-formed XML and the same each time.
func TestLayoutOfAnyFlow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	for seed := range uint64(300) {
		checkPicture(t, randomScript(t, rand.New(rand.NewPCG(seed, 1))))
	}
}

// A wide queue between the rows of a narrow ring moves the ring's sides apart.
func TestLayoutOfWideChord(t *testing.T) {
	wide := strings.Repeat("w", 32)
	text := "flow = 1\ndir = 'd'\n" +
		"[stage.a]\nin = ['p', '" + wide + "']\nout = 'q'\nrun = 'x'\n" +
		"[stage.b]\nin = 'q'\nout = ['p', '" + wide + "']\nrun = 'x'\n"
	s, err := script.Parse("wide.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, s)
}

// The search for the longest way ends in a flow that has very many.
func TestLayoutOfManyWays(t *testing.T) {
	text := "flow = 1\ndir = 'd'\nseeds.q0 = 'f'\n"
	for i := range 30 {
		var out []string
		for j := i + 1; j <= 30; j++ {
			out = append(out, fmt.Sprintf("'q%d'", j))
		}
		text += fmt.Sprintf("[stage.s%d]\nin = 'q%d'\nout = [%s]\nrun = 'x'\n", i, i, strings.Join(out, ","))
	}
	s, err := script.Parse("many.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	place(newFlow(s), s)
}

func checkPicture(t *testing.T, s *script.Script) {
	t.Helper()
	f := newFlow(s)
	place(f, s)
	for i, a := range f.nodes {
		if math.IsNaN(a.x) || math.IsNaN(a.y) {
			t.Fatalf("%s is nowhere", a.id)
		}
		for _, b := range f.nodes[:i] {
			if math.Abs(a.x-b.x) < (a.w+b.w)/2 && math.Abs(a.y-b.y) < (a.h+b.h)/2 {
				t.Errorf("%s lies on %s in\n%s", a.id, b.id, s.Text)
			}
		}
	}
	var one, two bytes.Buffer
	if err := errors.Join(SVG(&one, s), SVG(&two, s)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Errorf("two pictures differ of\n%s", s.Text)
	}
	wellFormed(t, one.Bytes())
}

func wellFormed(t *testing.T, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
	}
}

func TestSpread(t *testing.T) {
	tests := []struct {
		want, room, got []float64
	}{
		{[]float64{0, 100}, []float64{10, 10}, []float64{0, 100}},
		{[]float64{0, 0}, []float64{10, 10}, []float64{-5, 5}},
		{[]float64{0, 0, 0}, []float64{10, 30, 10}, []float64{-20, 0, 20}},
		{[]float64{5, 0, 100}, []float64{10, 10, 10}, []float64{7.5, -2.5, 100}},
	}
	for _, test := range tests {
		got := spread(test.want, func(i int) float64 { return test.room[i] })
		for i := range got {
			if math.Abs(got[i]-test.got[i]) > 1e-9 {
				t.Errorf("spread(%v, %v) = %v; want %v", test.want, test.room, got, test.got)
				break
			}
		}
	}
}
