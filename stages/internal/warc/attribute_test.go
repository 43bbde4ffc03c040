package warc

import (
	"bytes"
	"testing"

	"multitext/stages/internal/urlbatch"
)

// TestWithAttribute holds that an attribute is all that changes.
func TestWithAttribute(t *testing.T) {
	e, err := NewEncoder(DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range []string{okHead, "no HTTP at all"} {
		x := testExchange(t, "http://example.org/a", head, "the body")
		x.Record.SetInt(urlbatch.Depth, 2)
		a := next(t, reader(file(t, x)))
		marked, err := e.WithAttribute(a, urlbatch.Near, "http://example.org/\x1b b")
		if err != nil {
			t.Fatal(err)
		}
		was := a.response.fields
		b := next(t, reader(append(bytes.Clone(marked.Response), marked.Request...)))
		if near, _ := b.Record().Get(urlbatch.Near); near != "http://example.org/\x1b b" || b.Record().URL() != "http://example.org/a" || b.Record().Int(urlbatch.Depth) != 2 {
			t.Errorf("record %q", b.Record().Line())
		}
		for _, f := range was {
			if f.Name != attributesField && b.Field(f.Name) != f.Value {
				t.Errorf("%s is %q, was %q", f.Name, b.Field(f.Name), f.Value)
			}
		}
		if got, err := b.Block(); err != nil || !bytes.Equal(got, x.Response) {
			t.Errorf("block %q, %v", got, err)
		}
		if req, err := b.RequestBlock(); err != nil || !bytes.Equal(req, x.Request) {
			t.Errorf("request %q, %v", req, err)
		}
		if err := b.reader.verify(b.response); err != nil {
			t.Error(err)
		}
	}
}

// TestWithAttributeOfAStranger holds that a field of somebody's file which is more than a line is not written again.
func TestWithAttributeOfAStranger(t *testing.T) {
	e, err := NewEncoder(DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	a := next(t, reader(foreign(t, foreignResponse+"\r\nX: y\rWARC-Type: warcinfo\r\nZ: z", okHead+"\r\n\r\nbody")))
	marked, err := e.WithAttribute(a, urlbatch.Near, "http://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	if b := next(t, reader(marked.Response)); b.Field("X") != "" || b.Field("Z") != "z" || b.Record().URL() != "http://example.org/" {
		t.Errorf("fields %q", b.response.fields)
	}
}

// TestWithRecord holds that several attributes are changed at once, and that none need stay.
func TestWithRecord(t *testing.T) {
	e, err := NewEncoder(DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	x := testExchange(t, "http://example.org/a", okHead, "the body")
	x.Record.SetInt(urlbatch.Depth, 2)
	for _, c := range []struct {
		change func(*urlbatch.Record)
		want   string
	}{
		{func(r *urlbatch.Record) { r.Set(urlbatch.Label, "arts"); r.Set(urlbatch.Sure, "0.5") }, "http://example.org/a\tdepth=2\tlabel=arts\tsure=0.5"},
		{func(r *urlbatch.Record) { r.Del(urlbatch.Depth) }, "http://example.org/a"},
		{func(r *urlbatch.Record) { r.SetURL("http://elsewhere.test/") }, "http://example.org/a\tdepth=2"},
	} {
		marked, err := e.WithRecord(next(t, reader(file(t, x))), c.change)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(next(t, reader(marked.Response)).Record().Line()); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
