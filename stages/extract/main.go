// Command extract finds the links of pages and writes them as a URL batch (thesis, section 3.2.2).
//
// By default it writes every kind of link. restrict decides whether a link belongs to the crawl. If
// you never want images and scripts, -kinds pages saves the work on them.
//
// A link carries the attributes depth, which is the depth of its page plus one, and via, the URL of
// its page. A redirect counts as a page with one link, so its target is one deeper. The target
// carries redirects, the number of redirects in a row that led to it. If this exceeds
// -max-redirects, extract does not write the target, so a chain ends even without a limit on depth.
// A loop ends at filter, because filter lets each URL through once.
//
// classify pages -links-only marks a page of another crawler with owner=NODE. The links of such a
// page carry this attribute too, and classify links -by owner sends them to that crawler. With
// -judged a link carries parent, what its page was worth, where that is less than 1. Links inherit
// no other attribute.
//
// extract reads only answers that a browser would show as a page: 2xx, and 300 without Location. It
// recognizes HTML by its Content-Type, XHTML in XML by its root, and answers without a type by
// their first bytes. The links of a 304 were extracted before. A revisit record has no body and so
// no links. From a page that was cut, extract takes the links before the cut.
//
// The relative links of a duplicate and of its first copy lead to different URLs. xdup -copies
// writes such a duplicate a second time, with its body and the attribute copy, the URL of the first
// copy. From there extract takes only the links that lead to other URLs than on the first copy. It
// counts the rest as links-of-first-copy.
//
// Package links (stages/extract/internal/links) describes what counts as a link, how it is read,
// and when it may not be followed. noindex and noarchive have no effect here: whoever publishes the
// archive must check for them.
//
// # Sitemaps
//
// If the URL of an answer carries rel=sitemap, extract reads the answer as a list of URLs (package
// sitemap), whatever its type. resolve -sitemaps writes such URLs from robots.txt. Entries that are
// lists themselves carry rel=sitemap, as the target of a redirect does; other entries carry
// rel=listed. RSS and Atom with an XML Content-Type are also read as lists.
//
// # What a page was worth
//
// A frontier can learn which hosts and which links are worth a request. -judged writes a record for
// each answer for it: the URL, worth, a number from 0 to 1, and depth, via, anchor and parent of
// the link by which the URL was found. The worth is, by the first of these rules that applies:
//
//	0 for a page with the attribute near that names another page
//	the attribute worth of the page, which a stage in front of extract may have set
//	0 for what is no page (an error, a redirect), and for a revisit record
//	with -wanted: the attribute sure if the attribute label, both of classify, is wanted, else 0
//	1
//
// Not judged are a copy, for its revisit record is; a sitemap; and an answer to a later visit.
//
// With -score a link is expected to be worth as much as its page: it carries the worth as score, and
// frontier -order score follows the links of wanted pages first (the soft focus of Chakrabarti, van
// den Berg and Dom, Focused crawling, 1999). The attribute links of a page, if it has one, says so in
// place of the worth. The target of a redirect has the score of the URL that led to it.
//
// # Time
//
// The time is proportional to the size of a page, whatever its content, and -max-page limits that. A
// limit on the time would have the links depend on the machine.
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
		Long: `Reads page batches (WARC) and writes the URLs of their links to -links, with depth= and via=,
and with owner= if the page has it. -anchor adds the text of each link, -score what the
page was worth. Each URL is written once a page. -judged adds a batch for frontier: what each answer
was worth (go doc ./stages/extract).

Every answer ends here, with one of these reasons:
  extracted      an HTML page whose links were taken
  nofollow       an HTML page that forbids following its links
  redirect       3xx with a Location, which was taken as a link
  redirect-limit the same, but not taken: -max-redirects redirects in a row led here
  copy           a duplicate with its body (xdup -copies): links that its first copy lacks were taken
  revisit        a duplicate without body: the first copy, or one of xdup -copies, has its links
  not-modified   304 to a conditional request: an earlier answer has its links
  sitemap        a list of URLs (rel=sitemap, or a feed), which were taken
  not-sitemap    an answer with rel=sitemap that is not a list of URLs
  not-html       2xx of another type
  status-4xx …   any other status
  not-http, encoding, bad-url    an answer that cannot be parsed

Kinds of links: all, pages, or a list of
  a area base link frame iframe refresh header location      (these are "pages")
  resource script input img media embed other
"-kinds all,-img" leaves out img.

Memory: about six times the decompressed size of the largest page, or sixteen times if pages
are built to use much memory. -max-page limits the size of a page; for sitemaps the limit is
50 MiB. From twelve times on the garbage collector works harder (GOMEMLIMIT in the environment
sets another limit).`,
		Example: `extract -links links.zst pages.warc.gz
extract -kinds pages -anchor -links - pages.warc.gz | sort -u`,
		Check: stage.Check{Of: "page batches of any stage: each record is whole and has the digests it names",
			File: verify},
	}
}

// config holds the values of the flags.
type config struct {
	out          string
	options      links.Options
	maxPage      int64
	maxRedirects int64
	judged       string
	score        bool     // links say what their page was worth as score=
	wanted       []string // labels; none: all pages are wanted
}

func setup(fs *flag.FlagSet) stage.Body {
	out := fs.String("links", "-", "write the links to `FILE`")
	kinds := fs.String("kinds", "all", "extract links of these `KINDS`")
	agent := fs.String("agent", "", "obey meta robots and X-Robots-Tag for this `NAME` too (a whole User-Agent will"+
		" do)")
	ignore := fs.Bool("ignore-nofollow", false, "ignore nofollow")
	anchor := fs.Bool("anchor", false, "keep the text of links as anchor=")
	maxLinks := fs.Int("max-links", 10_000, "extract at most `N` links from a page")
	maxRedirects := fs.Int64("max-redirects", 10, "follow at most `N` redirects in a row")
	maxPage := stage.SizeVar(fs, "max-page", 16<<20, "read at most this `SIZE` of a page, decompressed")
	judged := fs.String("judged", "", "write what each answer was worth to `FILE`, for frontier")
	score := fs.Bool("score", false, "write what a page was worth as score= of its links, for frontier -order score")
	wanted := fs.String("wanted", "",
		"with -judged or -score: only pages whose label= is one of these `LABELS`, or any\n"+
			"with *, are worth something, each as much as its sure=")
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
			return stage.Usagef("-max-links and -max-page must be above 0, -max-redirects 0 or more")
		}
		if *wanted != "" && *judged == "" && !*score {
			return stage.Usagef("-wanted works only with -judged or -score: give one of them, too")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return extract(ctx, env, config{
			out:     *out,
			options: links.Options{Kinds: set, Agent: token, Obey: !*ignore, Anchors: *anchor, Max: *maxLinks},
			maxPage: int64(*maxPage), maxRedirects: *maxRedirects, judged: *judged, score: *score,
			wanted: strings.FieldsFunc(*wanted, func(r rune) bool { return r == ',' }),
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
