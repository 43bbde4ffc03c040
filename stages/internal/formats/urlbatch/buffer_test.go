package urlbatch

import (
	"fmt"
	"strings"
	"testing"
)

func TestBuffer(t *testing.T) {
	var b Buffer
	for round := range 2 {
		for i := range 1000 {
			r := New(fmt.Sprint("http://host/", round, "/", i))
			r.SetInt(Depth, int64(i))
			r.Set(Anchor, strings.Repeat("x", i*i%5000)) // more than one page
			b.Add(r)
		}
		first := b.Record(0)
		first.Set("more", "text") // must not reach the record behind it
		size := 0
		for i := range b.Len() {
			r := b.Record(i)
			if want := fmt.Sprint("http://host/", round, "/", i); r.URL() != want || r.Int(Depth) != int64(i) {
				t.Fatalf("record %d is %q", i, r.Line())
			}
			size += len(r.Line())
		}
		if b.Len() != 1000 || b.Size() != size {
			t.Errorf("%d records of %d bytes, want 1000 of %d", b.Len(), b.Size(), size)
		}
		b.Reset()
	}
}
