// Command extract finds the links of pages and writes them as a URL batch (thesis, section 3.2.2).
//
// By default it gives every kind of link: what is on a page is a fact, and what belongs to the
// crawl is decided in one place, by restrict, which can explain itself. Where images and scripts
// are certain to be unwanted, -kinds pages saves the work on them.
//
// A link carries depth, one more than its page's, and via, the URL of its page. A redirect is a page
// with one link, and a step of depth as well: a chain of redirects must have an end.
//
// Only answers that a browser would show as a page are read: 2xx, HTML by their Content-Type or, where
// that is missing, by their first bytes. Links of error pages are not followed; nor are those of a
// duplicate, whose first copy has given them already. A page that was cut gives the links it has.
//
// What is a link, and how it is read, is told by package links (stages/extract/internal/links).
package main

import (
	"context"
	"flag"
	"strings"

	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/robots"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/warc"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:  "extract",
		Short: "finds the links of pages",
		Long: `Reads page batches (WARC) and writes the URLs they link to, with depth= and via=, to -links;
with -anchor, the text of each link too. Each URL is written once a page.

Every answer leaves the flow, under one of these reasons:
  extracted      an HTML page whose links were taken
  nofollow       an HTML page that forbids to follow its links
  redirect       3xx with a Location, which is taken as a link
  revisit        a duplicate: its first copy had the same links
  not-html       2xx of another type
  status-4xx …   any other status
  not-http, encoding, bad-url    an answer that cannot be read

Kinds of links: all, pages, or a list of
  a area base link frame iframe refresh header location      (these are "pages")
  resource script input img media embed other
"-kinds all,-img" leaves one out.

Memory: a few times the largest page, decompressed.`,
		Example: `extract -links links.zst pages.warc.gz
extract -kinds pages -anchor -links - pages.warc.gz | sort -u`,
	}
}

// config is what the flags say.
type config struct {
	out     string
	options links.Options
	maxPage int64
}

func setup(fs *flag.FlagSet) stage.Body {
	out := fs.String("links", "-", "write the links to `FILE`")
	kinds := fs.String("kinds", "all", "take links of these `KINDS`")
	agent := fs.String("agent", "", "obey meta robots and X-Robots-Tag for this `NAME` too (a whole User-Agent will do)")
	ignore := fs.Bool("ignore-nofollow", false, "take links in spite of nofollow")
	anchor := fs.Bool("anchor", false, "keep the text of links as anchor=")
	maxLinks := fs.Int("max-links", 10_000, "take at most `N` links of a page")
	maxPage := stage.SizeVar(fs, "max-page", 16<<20, "read at most this `SIZE` of a page, decompressed")
	verify := fs.Bool("verify", false, "check the arguments, page batches of any stage, and do nothing else: each record is whole and has the digests it names")
	return func(ctx context.Context, env *stage.Env) error {
		if *verify {
			return stage.Verify(ctx, env, func(path string) error { return warc.Verify(ctx, path, env.Stdin) })
		}
		set, err := links.ParseSet(*kinds)
		if err != nil {
			return stage.Usagef("-kinds: %w", err)
		}
		token, err := agentToken(*agent)
		if err != nil {
			return stage.Usagef("-agent: %w", err)
		}
		if *maxLinks < 1 || *maxPage < 1 {
			return stage.Usagef("-max-links and -max-page must be above 0")
		}
		return extract(ctx, env, config{
			out:     *out,
			options: links.Options{Kinds: set, Agent: token, Obey: !*ignore, Anchors: *anchor, Max: *maxLinks},
			maxPage: int64(*maxPage),
		})
	}
}

func agentToken(agent string) (string, error) {
	if agent == "" {
		return "", nil
	}
	token, err := robots.Token(agent)
	return strings.ToLower(token), err
}

func main() { stage.Main(tool(), setup) }
