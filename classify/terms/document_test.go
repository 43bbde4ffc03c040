package terms

import (
	"slices"
	"strings"
	"testing"
)

// read is the document of the words of a text.
func read(text string) *Document {
	d := new(Document)
	d.Read(new(Splitter).Text([]byte(text)))
	return d
}

func TestDocumentCounts(t *testing.T) {
	d := read("to be or not to be")
	d.Add(nil)
	d.Add([]byte(strings.Repeat("x", Longest+1)))
	want := []struct {
		term  string
		count int
	}{{"to", 2}, {"be", 2}, {"or", 1}, {"not", 1}}
	if d.Len() != len(want) || d.Total() != 6 {
		t.Fatalf("%d terms and %d occurrences, want %d and 6", d.Len(), d.Total(), len(want))
	}
	for i, w := range want {
		if term, count := d.Term(i); string(term) != w.term || count != w.count {
			t.Errorf("term %d is %q × %d, want %q × %d", i, term, count, w.term, w.count)
		}
		if hash, count := d.Hashed(i); hash != Hash([]byte(w.term)) || int(count) != w.count {
			t.Errorf("term %d has the hash %x × %d", i, hash, count)
		}
	}
}

// TestDocumentAgain: nothing of a page is in the next one's document.
func TestDocumentAgain(t *testing.T) {
	d := read("one two two")
	d.Read(slices.Values([][]byte{[]byte("two")}))
	if term, count := d.Term(0); d.Len() != 1 || d.Total() != 1 || string(term) != "two" || count != 1 {
		t.Errorf("%d terms, %d occurrences, the first %q × %d", d.Len(), d.Total(), term, count)
	}
	if d.Reset(); d.Len() != 0 || d.Total() != 0 {
		t.Errorf("%d terms, %d occurrences after Reset", d.Len(), d.Total())
	}
}
