package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/partition"
)

// shared are the flags of crawlers that share the pages.
type shared struct {
	crawlers, exchange, follow     int
	by, owners, others, replicated string
	links                          string
	counts                         bool

	rules simulate.Shared // what they say, when the links were read
}

// none is the partition of independent crawlers.
const none = "none"

// modes are the values of -others, as those of classify links.
var modes = map[string]simulate.Others{partition.Send: simulate.Send, partition.Drop: simulate.Drop,
	partition.Aside: simulate.Aside}

// sendings are the values of -links.
var sendings = map[string]simulate.Sending{"each": simulate.Each, "once": simulate.Once, "sum": simulate.Sum}

func (s *shared) declare(fs *flag.FlagSet) {
	fs.IntVar(&s.crawlers, "crawlers", 1,
		"have `N` crawlers share the pages, each with its part of -urls; links to the pages of another are\n"+
			"known a batch later")
	fs.StringVar(&s.by, "by", "host",
		"the `PARTITION` among crawlers, as of classify links: url, host, domain, country, hierarchy; none: the\n"+
			"crawlers are independent of each other")
	fs.StringVar(&s.owners, "owners", "",
		"have the pages belong to the crawlers that `FILE` says, URLs with owner=, from 0, not to those of -by")
	fs.StringVar(&s.others, "others", partition.Send,
		"`MODE` for links to the pages of another: send to it, drop, or aside, until no page of the crawler's\n"+
			"own waits")
	fs.IntVar(&s.exchange, "exchange", 0,
		"with -others send: send links when all crawlers have fetched `N` pages, or none can fetch more;\n"+
			"0: each batch")
	fs.StringVar(&s.links, "links", "each",
		"with -others send: send `WHICH` links to a page: each; once, the first of a crawler, as classify links\n"+
			"does; or sum, one at an exchange for all, as classify links -sum")
	fs.IntVar(&s.follow, "follow", 1, "with -others aside: follow `N` links at once")
	fs.StringVar(&s.replicated, "replicated", "",
		"have all crawlers know the URLs in `FILE`, which are seeds, too; links to them are not sent")
	fs.BoolVar(&s.counts, "counts", false,
		"with -fetched: print who fetched a page, and behind each crawl, after a #, how many links were sent")
}

// check looks at the flags.
func (s *shared) check() error {
	mode, ok := modes[s.others]
	sending, known := sendings[s.links]
	switch {
	case s.crawlers < 1 || s.crawlers > 1000:
		return stage.Usagef("-crawlers must be from 1 to 1000")
	case !ok:
		return stage.Usagef("-others must be send, drop or aside")
	case !slices.Contains(partition.Names(), s.by):
		return stage.Usagef("-by must be one of %s", strings.Join(partition.Names(), ", "))
	case s.by == "owner":
		return stage.Usagef("-by owner goes by the page that a link is on: name the crawlers of pages with -owners")
	case s.owners != "" && s.by != "host":
		return stage.Usagef("-by and -owners do not work together")
	case s.by == none && (s.others != partition.Send || s.replicated != ""):
		return stage.Usagef("-by none: no page is another's; remove -others and -replicated")
	case s.exchange < 0 || s.exchange > 0 && mode != simulate.Send:
		return stage.Usagef("-exchange must be 0 or more, and works only with -others send")
	case !known || sending != simulate.Each && mode != simulate.Send:
		return stage.Usagef("-links must be each, once or sum, and works only with -others send")
	case s.follow < 1 || s.follow > 1 && mode != simulate.Aside:
		return stage.Usagef("-follow must be at least 1, and works only with -others aside")
	}
	s.rules = simulate.Shared{Crawlers: s.crawlers, Others: mode, Exchange: s.exchange, Follow: s.follow,
		Sending: sending}
	return nil
}

// read reads the files that the flags name, and finds the owners of the pages.
func (s *shared) read(ctx context.Context, env *stage.Env, l *links) (err error) {
	if s.replicated != "" {
		if s.rules.Replicated, err = l.read(ctx, env, s.replicated, nil); err != nil {
			return fmt.Errorf("read the replicated URLs: %w", err)
		}
	}
	var of []int
	switch {
	case s.crawlers == 1 || s.by == none:
		return nil
	case s.owners != "":
		of, err = s.named(ctx, env, l)
	default:
		of, err = s.hashed(l)
	}
	s.rules.Owner = func(page uint32) int { return of[page] }
	return err
}

// named are the owners of the pages, as -owners has them.
func (s *shared) named(ctx context.Context, env *stage.Env, l *links) ([]int, error) {
	of := make([]int, len(l.URLs))
	for page := range of {
		of[page] = -1
	}
	_, err := l.read(ctx, env, s.owners, func(page uint32, rec *urlbatch.Record) error {
		text, _ := rec.Get(urlbatch.Owner)
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= s.crawlers {
			return fmt.Errorf("%q has owner=%.20s, want a number from 0 to %d", rec.URL(), text, s.crawlers-1)
		}
		of[page] = n
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the owners: %w", err)
	}
	for page, n := range of {
		if n < 0 {
			return nil, fmt.Errorf("%s names no owner of the page %q", s.owners, l.URLs[page])
		}
	}
	return of, nil
}

// hashed are the owners of the pages by -by, as in a collaboration.
func (s *shared) hashed(l *links) ([]int, error) {
	var text strings.Builder
	text.WriteString("nodes = 1\nurl = \"file:$FROM/$TO\"\n")
	for i := range s.crawlers {
		fmt.Fprintf(&text, "[[node]]\nname = \"%d\"\n", i)
	}
	set, err := nodes.Parse("the crawlers of -crawlers", []byte(text.String()))
	if err != nil {
		return nil, err
	}
	by, err := partition.New(s.by, set, set.All()[0])
	if err != nil {
		return nil, err
	}
	of := make([]int, len(l.URLs))
	for page, url := range l.URLs {
		of[page] = by(urlbatch.New(url)).Number
	}
	return of, nil
}
