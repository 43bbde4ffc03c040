package near

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// shared gives how many super-shingles two sketches share.
func shared(a, b Sketch) int {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// prose makes n words from a vocabulary of 5,000.
func prose(rnd *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("w", rnd.IntN(5000))
	}
	return words
}

// TestLikeness holds least values to Broder's theorem: they agree as often as the texts are alike.
func TestLikeness(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, overlap := range []float64{0, 0.25, 0.5, 0.75, 0.9, 1} {
		agree, trials := 0, 0
		for range 60 {
			const n = 400
			a := prose(rnd, n)
			b := append(prose(rnd, n-int(overlap*n)), a[:int(overlap*n)]...)
			s, u := NewSketcher(), NewSketcher()
			s.Text([]byte(strings.Join(a, " ")))
			u.Text([]byte(strings.Join(b, " ")))
			for i := range s.least {
				if trials++; s.least[i] == u.least[i] {
					agree++
				}
			}
		}
		want := overlap / (2 - overlap) // n·overlap common shingles of n·(2-overlap)
		got := float64(agree) / float64(trials)
		t.Logf("likeness %.3f: %.3f of the least values agree", want, got)
		if math.Abs(got-want) > 0.03 {
			t.Errorf("likeness %.3f, but %.3f of the least values agree", want, got)
		}
	}
}

// TestTable holds the package comment's table of probabilities against sketches that are made.
func TestTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	s := NewSketcher()
	for _, c := range []struct{ likeness, want float64 }{{0.80, 0.03}, {0.90, 0.42}, {0.95, 0.88}, {0.98, 1}} {
		const n, trials = 400, 200
		fresh := int(math.Round(n * (1 - c.likeness) / (1 + c.likeness)))
		found := 0
		for range trials {
			a := prose(rnd, n)
			b := append(prose(rnd, fresh), a[:n-fresh]...)
			x, _ := s.Text([]byte(strings.Join(a, " ")))
			y, _ := s.Text([]byte(strings.Join(b, " ")))
			if shared(x, y) >= 2 {
				found++
			}
		}
		got := float64(found) / trials
		t.Logf("likeness %.2f: %.2f share two", c.likeness, got)
		if math.Abs(got-c.want) > 0.1 {
			t.Errorf("likeness %.2f: %.2f share two, the table says %.2f", c.likeness, got, c.want)
		}
	}
}

const page = `<!DOCTYPE html><title>On Ships</title><script>var x = "not a word of it";</script>
<style>p { color: red }</style><p class="c">The ship&#115; sail&eacute;d: <b>slowly</b>, over 7 seas.<noscript>no</noscript>`

// TestMarkupDoesNotCount: the same text in another dress is the same text.
func TestMarkupDoesNotCount(t *testing.T) {
	text := strings.Join(prose(rand.New(rand.NewPCG(5, 6)), 100), " ")
	s := NewSketcher()
	a, ok := s.Text([]byte(text))
	b, _ := s.HTML([]byte("<script>now()</script><p id=7>" + strings.Replace(strings.ToUpper(text), " ", "</p><p>", 9)))
	if !ok || a != b {
		t.Errorf("%x and %x", a, b)
	}
	if _, ok := s.Text([]byte(strings.Repeat("few words ", 15))); ok {
		t.Error("a text of 30 words has a sketch")
	}
}

// TestGolden: sketches are kept in states, so they must never change.
func TestGolden(t *testing.T) {
	s := NewSketcher()
	var got bytes.Buffer
	a, _ := s.HTML([]byte(strings.Repeat(page, 4)))
	b, _ := s.Text([]byte(strings.Join(prose(rand.New(rand.NewPCG(7, 8)), 500), " ")))
	fmt.Fprintf(&got, "%016x\n%016x\n", a, b)
	want, err := os.ReadFile("testdata/sketches-v1.txt")
	if err != nil || got.String() != string(want) {
		t.Errorf("sketches\n%swant\n%s(%v)", got.String(), want, err)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte(strings.Repeat(page, 4)))
	f.Add([]byte("<plaintext>\xff\xfe<script>" + strings.Repeat("a \xe6\x97\xa5", 40)))
	f.Fuzz(func(t *testing.T, page []byte) {
		s := NewSketcher()
		a, ok := s.HTML(page)
		if b, again := s.HTML(slices.Clone(page)); a != b || ok != again {
			t.Errorf("two sketches of one page: %x %v, %x %v", a, ok, b, again)
		}
	})
}

func BenchmarkText(b *testing.B) {
	text := []byte(strings.Join(prose(rand.New(rand.NewPCG(9, 10)), 1000), " "))
	s := NewSketcher()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Text(text)
	}
}
