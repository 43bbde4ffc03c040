package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/stage"
)

// A want is pages that are wanted.
type want struct {
	name  string
	says  string // which they are
	pages []uint32
}

// wants are what the flags want.
func (o *options) wants(ctx context.Context, env *stage.Env, l *links) (all []want, err error) {
	switch {
	case o.wanted != "":
		w := want{name: "wanted", says: "those of -wanted"}
		if w.pages, err = l.read(ctx, env, o.wanted, nil); err != nil {
			return nil, fmt.Errorf("read the wanted URLs: %w", err)
		}
		all = []want{w}
	case o.pattern != nil:
		w := want{name: "match", says: "those that match"}
		for page, url := range l.URLs {
			if o.pattern.MatchString(url) {
				w.pages = append(w.pages, uint32(page))
			}
		}
		all = []want{w}
	default:
		order := l.hottest()
		for _, share := range o.shares {
			all = append(all, want{name: fmt.Sprint(100 * share), says: fmt.Sprintf("the %v %% that most pages link to",
				100*share), pages: order[:int(math.Ceil(share*float64(len(order))))]})
		}
	}
	if len(all[0].pages) == 0 {
		return nil, errors.New("none of the wanted URLs is a page that links were read of")
	}
	return all, nil
}

// hottest are all pages, those first that most pages link to.
func (l *links) hottest() []uint32 {
	in, pages := l.InDegree(), make([]uint32, len(l.URLs))
	for i := range pages {
		pages[i] = uint32(i)
	}
	slices.SortFunc(pages, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(in[b], in[a]),
			cmp.Compare(xxhash.Sum64String(l.URLs[a]), xxhash.Sum64String(l.URLs[b])), cmp.Compare(a, b))
	})
	return pages
}
