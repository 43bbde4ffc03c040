package main

import (
	"context"
	"flag"

	"multitext/classify"
	"multitext/classify/topics"
	"multitext/stages/classify/internal/focus"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// pagesVerb returns the stage that assigns pages, after they were fetched.
func pagesVerb() stage.Verb {
	return stage.Verb{Name: "pages", Tool: stage.Tool{
		Name:    "classify pages",
		Formats: []string{warc.Format, classify.Format(), topics.Format()},
		Short:   "sends each page to the crawler that owns it",
		Long: `Reads page batches (WARC). An answer that this crawler owns goes to -mine. An answer of
another node goes to a batch in that node's folder beside -outgoing, from which its gofer
fetches it.

-by says what decides:
  topic      the label of its text by -model; a page in a foreign language goes to the node that
             owns the language, or the label foreign, if there is one
  language   the language alone
  content    a hash of the body, the same by which xdup recognizes duplicates
  text       a hash of its visible text, which most near-duplicates share; for few words as content
  none       nothing: all pages stay

With topic and language, some pages cannot be judged. Pages whose status is not 2xx (invalid)
stay. Pages without a term (no-text) go where -no-text says, pages with fewer terms than
-terms (short) where -short says. With -unsure PATH, pages whose topic is less sure than -sure
go to a separate output.

Classified pages carry label=, and with a topic sure=. With -links-only all pages stay. A page
of another node then carries owner=NODE, and classify links -by owner sends its links.

With -tree and -good each page is also judged by how relevant it is, whoever owns it: worth=,
from 0 to 1, is the probability that it is of a good topic, and best= is its most probable
leaf. The tree needs a leaf that is not good: else every page would be good, which is an error.
extract -score hands worth= on to the links. Without -nodes the crawler is alone, and
all pages stay. A page that cannot be judged has worth=0, and links= with half of its own
score= for its links. -focus hard writes pages whose best leaf is not in a good topic to
-elsewhere; -focus none writes links=0, so that no link is better than another. A page that
gets no label keeps label=, sure= and owner= of an earlier stage.

The segments listed in -sent have the bodies sent in earlier runs. The bodies sent in this run
go into the new segment -new. If a node already has a body with the same links, a revisit
record without the body is sent.

Counters of -tree: focus-good, focus-other, focus-no-text, focus-short, focus-foreign,
focus-not-judged, elsewhere. Others: invalid, no-text, short, unsure, label-NAME, judged,
not-judged, kept, sent, to-NODE, sent-before. For pages without a label their bytes are also
counted, as invalid-bytes and so on. Labels are counted in lower case, with - for characters
other than letters and digits.

Memory: the model; about 15 MB for word lists and the rest; 256 KiB for each node to which
pages are sent, for at most 512 nodes; and 8 bytes for each page that is sent. Pages that are
built to use much memory (answers of 10 MB, in codings that look back as far as possible) add
about 200 MB. Without -sent several runs may work at the same time (jobs = 2).`,
		Example: `classify pages -nodes nodes.toml -node arts -model topics.model -mine mine.warc.gz \
    -outgoing out/x.warc.gz pages.warc.gz
classify pages -tree topics.tree -good sport,arts -mine judged.warc.gz pages.warc.gz`,
	}, Setup: setupPages}
}

func setupPages(fs *flag.FlagSet) stage.Body {
	var o options
	o.declare(fs)
	mine := fs.String("mine", "-", "write the answers that stay to `FILE`")
	outgoing := fs.String("outgoing", "",
		"write batches for other nodes into folders beside `FILE`, which has a name as the manager chooses it")
	sent := fs.String("sent", "",
		"read the bodies sent before from the segments listed in `FILE`; without it, or if FILE is empty, none was")
	made := fs.String("new", "", "write the new segment to `FILE`; without it bodies are sent again each time")
	fs.StringVar(&o.mode, "focus", focus.Soft,
		"with -tree: `HOW` links are followed: soft (those of relevant pages first), hard (only of pages of good\n"+
			"topics) or none (all alike)")
	aside := fs.String("elsewhere", "", "with -focus hard: write the pages that are not of good topics to `FILE`")
	linksOnly := fs.Bool("links-only", false, "keep all pages, and set owner= on pages of other nodes")
	return func(ctx context.Context, env *stage.Env) error {
		set, me, err := o.loadNodes()
		if err != nil {
			return err
		}
		if *outgoing == "" && !*linksOnly && o.by != byNone {
			return stage.Usagef("-outgoing is required: the place for pages of other nodes")
		}
		if o.tree != "" && o.good == "" {
			return stage.Usagef("-tree needs -good, the topics that are wanted; classify route -tree proposes some")
		}
		if o.mode == focus.Hard && *aside == "" {
			return stage.Usagef("-focus hard needs -elsewhere, the output for pages that are not of good topics")
		}
		relevance, err := o.focus(&o.reading)
		if err != nil {
			return err
		}
		if relevance != nil && relevance.Model.Tree.Whole(relevance.Good) {
			return stage.Usagef("-good %.200q: every page would be good: the tree needs a topic for what is not wanted",
				o.good)
		}
		assign, err := o.partition(set, me)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		s := newSender(env, me, *mine, *outgoing, o.unsureFile())
		s.assign, s.linksOnly, s.focus = assign, *linksOnly, relevance
		if *aside != "" {
			s.aside = warc.NewWriter(env.Files, *aside, env.Report.Out)
		}
		if *made == "" {
			return s.send(ctx, env)
		}
		if s.sent, err = openTable(*sent, env.Hash); err != nil {
			return err
		}
		defer s.sent.Close()
		if err := s.send(ctx, env); err != nil {
			return err
		}
		return s.sent.Save(env.Files, *made, env.Report)
	}
}
