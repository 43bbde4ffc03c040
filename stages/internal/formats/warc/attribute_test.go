package warc

import (
	"bytes"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
)

// TestWithAttribute holds that an attribute is all that changes.
func TestWithAttribute(t *testing.T) {
	e := new(Encoder)
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
		if near, _ := b.Record().Get(urlbatch.Near); near != "http://example.org/\x1b b" ||
			b.Record().URL() != "http://example.org/a" || b.Record().Int(urlbatch.Depth) != 2 {
			t.Errorf("record %q", b.Record().Line())
		}
		for _, f := range was {
			if f.Name != attributesField && b.Field(f.Name) != f.Value {
				t.Errorf("%s is %q, was %q", f.Name, b.Field(f.Name), f.Value)
			}
		}
		if got, err := b.Block(); err != nil || !bytes.Equal(got, x.Response) || b.Size() != int64(len(got)) {
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

// TestWithAttributeOfAStranger holds that a field of somebody's file which is more than a line is
// not written again.
func TestWithAttributeOfAStranger(t *testing.T) {
	e := new(Encoder)
	a := next(t, reader(foreign(t, foreignResponse+"\r\nX: y\rWARC-Type: warcinfo\r\nZ: z", okHead+"\r\n\r\nbody")))
	marked, err := e.WithAttribute(a, urlbatch.Near, "http://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	if b := next(t, reader(marked.Response)); b.Field("X") != "" || b.Field("Z") != "z" ||
		b.Record().URL() != "http://example.org/" {
		t.Errorf("fields %q", b.response.fields)
	}
}

// TestWithRecord holds that several attributes are changed at once, again and again, and that none
// need stay; with a request the response is not touched, and without one it carries them itself.
func TestWithRecord(t *testing.T) {
	e := new(Encoder)
	x := testExchange(t, "http://example.org/a", okHead, "the body")
	x.Record.SetInt(urlbatch.Depth, 2)
	whole := file(t, x)
	was := next(t, reader(whole)).Packed()
	for _, made := range [][]byte{whole, was.Response} {
		for _, c := range []struct {
			change func(*urlbatch.Record)
			want   string
		}{
			{func(r *urlbatch.Record) { r.Set(urlbatch.Label, "arts"); r.Set(urlbatch.Sure, "0.5") },
				"http://example.org/a\tdepth=2\tlabel=arts\tsure=0.5"},
			{func(r *urlbatch.Record) { r.Del(urlbatch.Depth, urlbatch.Label) }, "http://example.org/a\tsure=0.5"},
			{func(r *urlbatch.Record) { r.Del(urlbatch.Sure) }, "http://example.org/a"},
			{func(r *urlbatch.Record) { r.SetURL([]byte("http://elsewhere.test/")) }, "http://example.org/a"},
			{func(r *urlbatch.Record) { r.Set(urlbatch.Label, "geology") }, "http://example.org/a\tlabel=geology"},
		} {
			a := next(t, reader(made))
			request := a.request != nil
			marked, err := e.WithRecord(a, c.change)
			if err != nil {
				t.Fatal(err)
			}
			made = append(bytes.Clone(marked.Response), marked.Request...)
			b := next(t, reader(made))
			if got := string(b.Record().Line()); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if err := b.reader.verify(b.response); err != nil || request != (b.request != nil) {
				t.Errorf("for %q: %v, request %v, was %v", c.want, err, b.request != nil, request)
			}
			if request {
				if err := b.reader.verify(b.request); err != nil {
					t.Error(err)
				}
			}
		}
	}
	marked, err := e.WithAttribute(next(t, reader(whole)), urlbatch.Label, "arts")
	if err != nil || !bytes.Equal(marked.Response, was.Response) {
		t.Errorf("the response was compressed anew: %v", err)
	}
}
