// Command text writes the text of pages: as JSONL, and as WET, the form in which Common Crawl offers
// it. It is for people who want a corpus and not the web.
//
// A text is the main text of a page, without menus, sidebars and comments (package maintext, which
// says how good it is). Title, language and digest of the page go with it, and what other stages
// said of it: near (xdup -near), label, best and sure (classify), score, worth. Type Line has
// all fields.
//
// Only answers with a page of their own have a text: 2xx, HTML. A duplicate is a revisit record and
// has none, so each body is written once. A near-duplicate is written, with the attribute near: who
// wants none puts text behind xdup -near 2 -aside, or filters by the field.
//
// # What a page forbids
//
// A corpus is a copy that is given away, so this stage obeys more than a crawler must. A page that
// says one of these in X-Robots-Tag or META robots is not written; -opt-out chooses which count:
//
//	noai        noai: not for training (DeviantArt's proposal, 2022; not a standard)
//	tdm         tdm-reservation: 1 as a header field or META: the rights to text and data mining
//	            are reserved (TDM Reservation Protocol, W3C Community Group; the machine-readable
//	            reservation of the EU's directive 2019/790, article 4)
//	noindex     noindex or none: not to be found by search
//	noarchive   noarchive or nocache: no copy is to be offered (Bing reads both as no use for
//	            training its models)
//
// All four count by default, each with a reason of its own in the report, so that one sees what each
// costs. noimageai and noimageindex are about images. Directives for one crawler alone count if it
// is named in -agent: name your own, and others whose directives you want to respect, as in
// -agent mybot,GPTBot,CCBot,Google-Extended.
//
// robots.txt is obeyed before: resolve refuses what it forbids to the crawl's own name or to all. A
// page that robots.txt forbids only to others, such as GPTBot, is fetched. And
// /.well-known/tdmrep.json, the reservation for a whole site, is not read.
//
// # Quality
//
// With -quality MODEL each text gets quality, how sure a model of classify is that it is like the
// texts with the label good and not like the others. -least drops texts below a share. This is how
// GPT-3's corpus was filtered (Brown et al., Language Models are Few-Shot Learners, 2020, appendix
// A).
// A model knows only what it was shown: examples/corpus shows how to train one, and how to test it.
package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/robots"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "text",
		Formats: []string{warc.Format, Format, classify.Format()},
		Short:   "writes the main text of pages",
		Long: `Reads page batches (WARC). Writes the main text of each page to -jsonl, a JSON object a line,
compressed if the name ends in .zst or .gz, and to -wet as WARC conversion records. The fields are
  url date words text         always
  title language digest cut   if known
  near label best sure score worth   if other stages set them
  quality                     with -quality

Every answer ends here, with one of these reasons:
  written        its text was written
  opt-out-noai, opt-out-tdm, opt-out-noindex, opt-out-noarchive
                 the page forbids it (go doc ./stages/text)
  no-text        a page without a main text, such as a list of links
  short          fewer words than -words
  other-language a language that is not in -language
  low-quality    quality below -least
  revisit, not-modified   another answer has the body
  not-html       2xx of another type
  status-4xx …   any other status
  not-http, encoding, bad-date    an answer that cannot be parsed

-verify checks files that this stage wrote: WET if the name ends in .warc.gz or .wet.gz, else JSONL.

Memory: about 64 MB, and fourteen times the decompressed size of the largest page. -max-page limits
the size of a page.`,
		Example: `text -jsonl texts.jsonl.zst pages.warc.gz
text -language en,de -words 100 -jsonl - pages.warc.gz | jq -r .title
text -quality quality.model -least 0.5 -jsonl good.jsonl.zst -wet good.warc.gz pages.warc.gz`,
		Check: stage.Check{Of: "files of -jsonl and -wet", File: verify},
	}
}

// config holds the values of the flags.
type config struct {
	lines, wet string
	languages  []string // none: all
	words      int
	least      float64
	agents     []string
	optOuts    []string
	maxPage    int64
}

func setup(fs *flag.FlagSet) stage.Body {
	var c config
	fs.StringVar(&c.lines, "jsonl", "", "write the texts to `FILE`")
	fs.StringVar(&c.wet, "wet", "", "write the texts to `FILE` as WARC conversion records")
	languages := fs.String("language", "", "write only texts in these `LANGUAGES`, by ISO 639-1: en,de")
	fs.IntVar(&c.words, "words", 25, "write only texts of at least `N` words")
	quality := fs.String("quality", "", "judge each text by the model in `FILE`, which has the label good")
	fs.Float64Var(&c.least, "least", 0, "with -quality: write only texts of at least this `QUALITY`, 0 to 1")
	optOuts := fs.String("opt-out", strings.Join(allOptOuts, ","), "obey these `OPT-OUTS` of pages, or none")
	agents := fs.String("agent", "", "obey directives for the crawlers of these `NAMES`, too: mybot,GPTBot (a whole\n"+
		"User-Agent will do)")
	maxPage := stage.SizeVar(fs, "max-page", 16<<20, "read at most this `SIZE` of a page, decompressed")
	return func(ctx context.Context, env *stage.Env) error {
		if c.lines == "" && c.wet == "" {
			return stage.Usagef("give -jsonl or -wet or both: nothing is written else")
		}
		switch {
		case c.lines == c.wet:
			return stage.Usagef("-jsonl and -wet are both %s: give each a file of its own", c.lines)
		case isWET(c.lines):
			return stage.Usagef("-jsonl %.80q: a name in .warc.gz or .wet.gz is one of WET, for -verify: take .jsonl.zst, "+
				"or ext = \"zst\" of the queue", c.lines)
		}
		if c.words < 1 || *maxPage < 1 || !(c.least >= 0 && c.least <= 1) {
			return stage.Usagef("-words and -max-page must be above 0, -least from 0 to 1")
		}
		if c.least > 0 && *quality == "" {
			return stage.Usagef("-least works only with -quality: give both")
		}
		var err error
		if c.optOuts, err = parseOptOuts(*optOuts); err != nil {
			return stage.Usagef("-opt-out: %w", err)
		}
		if c.languages, err = parseLanguages(*languages); err != nil {
			return stage.Usagef("-language: %w", err)
		}
		if c.agents, err = parseAgents(*agents); err != nil {
			return stage.Usagef("-agent: %w", err)
		}
		c.maxPage = int64(*maxPage)
		j, err := newJudge(*quality)
		if err != nil {
			return stage.Usagef("%w", err)
		}
		if err := env.Ready(); err != nil {
			return err
		}
		return write(ctx, env, c, j)
	}
}

// parseLanguages parses a list of languages; "" is all.
func parseLanguages(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	codes := strings.Split(list, ",")
	for _, code := range codes {
		if !slices.Contains(language.Codes(), code) {
			return nil, fmt.Errorf("%.40q is none of %s", code, strings.Join(language.Codes(), " "))
		}
	}
	return codes, nil
}

// parseAgents parses a list of crawlers, each by its name or its User-Agent; "" is none. A comma in
// the comment of a User-Agent, in parentheses, divides nothing.
func parseAgents(list string) (names []string, err error) {
	for list != "" {
		end, depth := 0, 0
		for ; end < len(list) && (list[end] != ',' || depth > 0); end++ {
			switch list[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		name, err := robots.Token(strings.TrimSpace(list[:end]))
		if err != nil {
			return nil, err
		}
		names, list = append(names, strings.ToLower(name)), strings.TrimPrefix(list[end:], ",")
	}
	return names, nil
}

func main() { stage.Main(tool(), setup) }
