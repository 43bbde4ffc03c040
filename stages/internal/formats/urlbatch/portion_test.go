package urlbatch

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/report"
)

func TestPortion(t *testing.T) {
	const in = "http://a/1\nhttp://a/2\nbad line\nhttp://a/3\nhttp://a/4\nhttp://a/5\n"
	for _, c := range []struct {
		bound Portion
		want  []int // records of each portion
	}{
		{Portion{2, 1000}, []int{2, 2, 1}},
		{Portion{1000, 30}, []int{3, 2}},
		{Portion{5, 1000}, []int{5}},
		{Portion{1000, 1000}, []int{5}},
	} {
		rep := report.New()
		var sizes []int
		var urls string
		err := c.bound.Each(t.Context(), []string{"-"}, strings.NewReader(in), rep, func(b *Buffer) error {
			sizes = append(sizes, b.Len())
			for i := range b.Len() {
				rec := b.Record(i)
				urls += rec.URL()[len("http://a/"):]
			}
			rep.Reason("done", int64(b.Len()))
			return nil
		})
		if err != nil || !slices.Equal(sizes, c.want) || urls != "12345" {
			t.Errorf("%+v: portions of %v with %s, %v; want %v", c.bound, sizes, urls, err, c.want)
		}
		if _, err := rep.Summary(); err != nil {
			t.Errorf("%+v: %v", c.bound, err)
		}
	}
}

func TestPortionOfNothingAndOfErrors(t *testing.T) {
	bound, failure := Portion{2, 1000}, errors.New("disk full")
	called := 0
	do := func(*Buffer) error { called++; return failure }
	if err := bound.Each(t.Context(), []string{"-"}, strings.NewReader("# none\n"), report.New(), do); err != nil ||
		called != 0 {
		t.Errorf("nothing: %v, %d calls", err, called)
	}
	for _, in := range []string{"http://a/\n", "http://a/\nhttp://b/\nhttp://c/\n"} {
		called = 0
		if err := bound.Each(t.Context(), []string{"-"}, strings.NewReader(in), report.New(), do); err != failure ||
			called != 1 {
			t.Errorf("%q: %v, %d calls; want %v, 1", in, err, called, failure)
		}
	}
}
