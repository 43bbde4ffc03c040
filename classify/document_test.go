package classify

import (
	"strings"
	"testing"
)

// bag makes a document of the words of text.
func bag(text string) *Document {
	d := new(Document)
	for word := range strings.FieldsSeq(text) {
		d.Add([]byte(word))
	}
	return d
}

func TestDocumentCounts(t *testing.T) {
	d := bag("to be or not to be")
	d.Add(nil)
	d.Add([]byte(strings.Repeat("x", MaxTerm+1)))
	want := []struct {
		term  string
		count int
	}{{"to", 2}, {"be", 2}, {"or", 1}, {"not", 1}}
	if d.Len() != len(want) {
		t.Fatalf("%d terms, want %d", d.Len(), len(want))
	}
	for i, w := range want {
		if term, count := d.Term(i); string(term) != w.term || count != w.count {
			t.Errorf("term %d is %q × %d, want %q × %d", i, term, count, w.term, w.count)
		}
	}
}

func TestDocumentReset(t *testing.T) {
	d := bag("one two two")
	d.Reset()
	if d.Len() != 0 {
		t.Fatalf("%d terms after Reset", d.Len())
	}
	d.Add([]byte("two"))
	if term, count := d.Term(0); d.Len() != 1 || string(term) != "two" || count != 1 {
		t.Errorf("after Reset %d terms, the first %q × %d", d.Len(), term, count)
	}
}

// An index whose rounds have been used up forgets what the first round had.
func TestIndexRoundsWrap(t *testing.T) {
	var x index
	x.put(7, 1)
	x.round = ^uint32(0)
	x.put(8, 2)
	x.clear()
	for _, hash := range []uint64{7, 8} {
		if _, ok := x.find(hash); ok {
			t.Errorf("%d is found after clear", hash)
		}
	}
	for _, hash := range []uint64{0, 7} { // an empty slot looks like hash 0 of round 0
		if at, added := x.put(hash, 3); !added || at != 3 {
			t.Errorf("put of %d gives %d, %v", hash, at, added)
		}
	}
}

// Hashes that would share their slots in a table without a secret are spread in this one.
func TestIndexSpreadsForgedHashes(t *testing.T) {
	var x index
	const n = 20000
	for i := range uint64(n) {
		x.put(i, uint32(i))
	}
	longest, run := 0, 0
	for _, s := range x.slots {
		if run++; s.round != x.round {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > n/10 {
		t.Errorf("%d slots in a row are taken by %d hashes", longest, n)
	}
	for i := range uint64(n) {
		if at, ok := x.find(i); !ok || at != uint32(i) {
			t.Fatalf("%d is at %d, %v", i, at, ok)
		}
	}
}
