// Command extract finds the links of pages and writes them as a URL batch (thesis, section 3.2.2).
//
// By default it writes every kind of link. A link on a page is a fact; whether it belongs to the
// crawl is decided in one place, by restrict, which can explain its decision. If you surely want no
// images and scripts, -kinds pages saves the work on them.
//
// A link carries depth, one more than its page's, and via, the URL of its page. A redirect counts
// as a page with one link, and as a step of depth. Its link carries redirects, the number of
// redirects in a row that led to it; beyond -max-redirects it is not taken, so a chain ends even
// without a bound on depth. filter ends a loop, because it lets each URL through once.
//
// If classify pages -links-only has marked a page as another crawler's, its links carry the mark,
// owner=NODE, and classify links -by owner sends them there. No other attribute of a page is handed
// on.
//
// extract reads only answers that a browser would show as a page: 2xx, and 300 without Location. It
// reads HTML by its Content-Type, XHTML in XML by its root, and answers without a type by their
// first bytes. It does not follow links of error pages, of a page that has not changed (304), which
// has given them already, or of a revisit record, which has no body. A page that was cut gives the
// links that it has.
//
// The relative links of a duplicate lead elsewhere than those of its first copy. xdup -copies
// writes such a duplicate once more, with its body and the attribute copy, the URL of the first.
// extract takes the links that do not lead to the same URL from there, and counts the others as
// links-of-first-copy.
//
// Package links (stages/extract/internal/links) says what is a link, how it is read, and when it
// may not be followed. noindex and noarchive say nothing about links and change nothing here: a
// page that is not to be shown is still in the archive, and whoever shows the archive must look.
//
// # Sitemaps
//
// If the URL of an answer carries rel=sitemap, extract reads the answer as a list of URLs (package
// sitemap), whatever its type, and also if it is a gzip file. resolve -sitemaps writes such URLs,
// from robots.txt. Entries that are lists themselves carry rel=sitemap, the others rel=listed. If a
// sitemap redirects, its target is a sitemap. Without rel a sitemap is like any other XML. Feeds,
// which pages link to, are read as lists too: RSS and Atom whose Content-Type says XML.
//
// # Time
//
// No bound on the time for a page is set, because the links would then depend on the machine. The
// time grows in proportion to the size of a page, whatever the page is, and -max-page bounds the
// size (TestTimeGrowsWithSize in package links).
package main

import (
	"context"
	"flag"
	"strings"

	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/robots"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "extract",
		Formats: []string{warc.Format},
		Short:   "finds the links of pages",
		Long: `Reads page batches (WARC) and writes the URLs they link to, with depth= and via=, to -links;
with -anchor, the text of each link too, and owner=, where the page has it. Each URL is written once a page.

Every answer leaves the flow, under one of these reasons:
  extracted      an HTML page whose links were taken
  nofollow       an HTML page that forbids to follow its links
  redirect       3xx with a Location, which is taken as a link
  redirect-limit the same, but -max-redirects in a row led here: not taken
  copy           a duplicate with its body (xdup -copies): links taken that its first copy had not
  revisit        a duplicate without body: its first copy, or one from xdup -copies, has its links
  not-modified   304 to a conditional request: the same
  sitemap        a list of URLs (the URL carries rel=sitemap, or it is a feed), which are taken
  not-sitemap    what was said to be one, and is none
  not-html       2xx of another type
  status-4xx …   any other status
  not-http, encoding, bad-url    an answer that cannot be read

Kinds of links: all, pages, or a list of
  a area base link frame iframe refresh header location      (these are "pages")
  resource script input img media embed other
"-kinds all,-img" leaves one out.

Memory: some six times the largest page, decompressed, sixteen times if pages are made to take much;
-max-page bounds that, for sitemaps 50 MiB. The collector works harder from twelve times on (GOMEMLIMIT
in the environment sets another limit).`,
		Example: `extract -links links.zst pages.warc.gz
extract -kinds pages -anchor -links - pages.warc.gz | sort -u`,
		Check: stage.Check{Of: "page batches of any stage: each record is whole and has the digests it names",
			File: verify},
	}
}

// config is what the flags say.
type config struct {
	out          string
	options      links.Options
	maxPage      int64
	maxRedirects int64
}

func setup(fs *flag.FlagSet) stage.Body {
	out := fs.String("links", "-", "write the links to `FILE`")
	kinds := fs.String("kinds", "all", "take links of these `KINDS`")
	agent := fs.String("agent", "", "obey meta robots and X-Robots-Tag for this `NAME` too (a whole User-Agent will"+
		" do)")
	ignore := fs.Bool("ignore-nofollow", false, "take links in spite of nofollow")
	anchor := fs.Bool("anchor", false, "keep the text of links as anchor=")
	maxLinks := fs.Int("max-links", 10_000, "take at most `N` links of a page")
	maxRedirects := fs.Int64("max-redirects", 10, "follow at most `N` redirects in a row")
	maxPage := stage.SizeVar(fs, "max-page", 16<<20, "read at most this `SIZE` of a page, decompressed")
	return func(ctx context.Context, env *stage.Env) error {
		set, err := links.ParseSet(*kinds)
		if err != nil {
			return stage.Usagef("-kinds: %w", err)
		}
		token, err := agentToken(*agent)
		if err != nil {
			return stage.Usagef("-agent: %w", err)
		}
		if *maxLinks < 1 || *maxPage < 1 || *maxRedirects < 0 {
			return stage.Usagef("-max-links and -max-page must be above 0, -max-redirects not below")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return extract(ctx, env, config{
			out:     *out,
			options: links.Options{Kinds: set, Agent: token, Obey: !*ignore, Anchors: *anchor, Max: *maxLinks},
			maxPage: int64(*maxPage), maxRedirects: *maxRedirects,
		})
	}
}

func verify(ctx context.Context, env *stage.Env, path string) error {
	return warc.Verify(ctx, path, env.Stdin)
}

func agentToken(agent string) (string, error) {
	if agent == "" {
		return "", nil
	}
	token, err := robots.Token(agent)
	return strings.ToLower(token), err
}

func main() { stage.Main(tool(), setup) }
