package main

import (
	"bytes"
	"testing"
	"time"

	"multitext/classify/topics"
	"multitext/stages/classify/internal/focus"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// FuzzFocus sends any answer of a server through the focus, with any attributes. Whatever it is,
// its relevance is from 0 to 1, its best topic a leaf, the same after another page as before it,
// and its record is one.
func FuzzFocus(f *testing.F) {
	const url = "http://a.test/"
	f.Add(url+"\tscore=0.5", "HTTP/1.1 200 OK\r\nContent-Type: text/html", []byte(about("arts", 1)))
	f.Add(url+"\tscore=NaN\tdepth=-1", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16",
		[]byte("\xff\xfe<\x00p\x00>\x00"))
	f.Add(url+"\trel=sitemap", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br", []byte("\x1f\x8b\x08\x00"))
	f.Add(url, "HTTP/1.1 999", []byte(about("german", 1)))
	f.Add(url+"\tdepth=9223372036854775807\tscore=1e999", "rubbish\x00\x1b", []byte("<plaintext>&#x110000;&"))
	model, err := topics.Load(topicModel(f))
	if err != nil {
		f.Fatal(err)
	}
	good, err := model.Tree.Good([]string{"nature"})
	if err != nil {
		f.Fatal(err)
	}
	var all []*focus.Focus
	for _, mode := range focus.Modes() {
		x, err := focus.New(focus.Options{Model: model, Good: good, Mode: mode, Language: "twostep",
			Short: 20, Max: 1 << 20})
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, x)
	}
	encoder := new(warc.Encoder)
	f.Fuzz(func(t *testing.T, line, head string, body []byte) {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			t.Skip(err)
		}
		packed, err := encoder.Encode(&warc.Exchange{Record: rec, Date: time.Unix(1, 0), Request: []byte("GET"),
			Response: append([]byte(head+"\r\n\r\n"), body...)})
		if err != nil {
			t.Skip(err)
		}
		a, err := warc.NewReader("fuzz", bytes.NewReader(append(packed.Response, packed.Request...))).Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			first, err := x.Answer(a)
			if err != nil {
				t.Fatal(err)
			}
			leaf, known := model.Tree.Find(first.Best)
			if !(first.Worth >= 0 && first.Worth <= 1 && first.Sure >= 0 && first.Sure <= 1) ||
				first.Best != "" && !(known && model.Tree.Leaf(leaf)) || !plainKind(first.Kind) {
				t.Errorf("%+v", first)
			}
			if again, err := x.Answer(a); again != first || err != nil {
				t.Errorf("%+v, and the second time %+v, %v", first, again, err)
			}
			marked := a.Record().Clone()
			x.Mark(marked, first)
			got, err := urlbatch.Parse(marked.Line())
			if err != nil || !got.Has(urlbatch.Worth) ||
				got.Has(urlbatch.Links) != (first.Best == "" || x.Mode == focus.None) {
				t.Errorf("the record is %q, %v", marked.Line(), err)
			}
			if v := got.Share(urlbatch.Links); !(v >= 0 && v <= 1) {
				t.Errorf("the links are worth %v", v)
			}
			if x.Mode != focus.Hard && x.Elsewhere(got, first) {
				t.Errorf("mode %s puts it elsewhere", x.Mode)
			}
		}
	})
}
