package main

import (
	"bytes"
	"testing"
	"time"

	"multitext/stages/classify/internal/judge"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/sharing/nodes"
)

// FuzzPlace sends any answer of a server through the whole decision. Whatever it is, it has a
// place, the same one after another page as before it, and nothing of it reaches a counter's name.
func FuzzPlace(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Type: text/html", []byte(about("arts", 1)))
	f.Add("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16", []byte("\xff\xfe<\x00p\x00>\x00"))
	f.Add("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br", []byte("\x1f\x8b\x08\x00"))
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain;charset=iso-2022-jp",
		[]byte("4\r\n\x1b$B!\r\n0\r\n\r\n"))
	f.Add("HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml",
		[]byte("<?xml encoding='utf-7'?><![CDATA[<script></scr"))
	f.Add("HTTP/1.1 999", []byte(about("german", 1)))
	f.Add("rubbish\x00\x1b", []byte("<plaintext>&#x110000;&"))
	assigners := fuzzAssigners(f)
	encoder := new(warc.Encoder)
	before := judge.Page{Status: 200, ContentType: "text/html", Body: []byte(about("geology", 1))}
	f.Fuzz(func(t *testing.T, head string, body []byte) {
		packed, err := encoder.Encode(&warc.Exchange{Record: urlbatch.New("http://a.test/"), Date: time.Unix(1, 0),
			Request: []byte("GET"), Response: append([]byte(head+"\r\n\r\n"), body...)})
		if err != nil {
			t.Skip(err)
		}
		a, err := warc.NewReader("fuzz", bytes.NewReader(packed.Response)).Next()
		if err != nil {
			t.Fatal(err)
		}
		page, err := judge.FromAnswer(a, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range assigners {
			first := s.place(page)
			if first.node == nil || !(first.sure >= 0 && first.sure <= 1) || !plainKind(first.kind) {
				t.Errorf("%+v", first)
			}
			s.place(before)
			if again := s.place(page); again != first {
				t.Errorf("%+v, and behind another page %+v", first, again)
			}
		}
	})
}

// fuzzAssigners are those of several flags.
func fuzzAssigners(f *testing.F) (all []*assigner) {
	set, err := nodes.Load(worldFile(f, world))
	if err != nil {
		f.Fatal(err)
	}
	me := set.All()[0]
	model := worldModel(f)
	for _, o := range []options{
		{by: byTopic, model: model, language: judge.TwoStep},
		{by: byTopic, model: model, language: judge.Words, reading: reading{ascii: true}, sure: 0.9},
		{by: byLanguage, language: judge.NGrams},
	} {
		o.noText, o.short, o.unsure, o.terms, o.maxPage = "world", "rest", "rest", 3, 1<<20
		s, err := o.assigner(set, me)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// plainKind tells whether a counter may have that name.
func plainKind(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return name != "" && len(name) <= maxKind
}

func FuzzKind(f *testing.F) {
	for _, label := range []string{"arts", "Fine arts", "comp.sys.mac", "\x1b[2J", "ü", ""} {
		f.Add(label)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if name := kindOf(label); !plainKind(name) {
			t.Errorf("%q is counted as %q", label, name)
		}
	})
}
