package main

import (
	"context"
	"flag"

	"multitext/classify"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// pagesVerb is the stage that assigns pages, after they were fetched.
func pagesVerb() stage.Verb {
	return stage.Verb{Name: "pages", Tool: stage.Tool{
		Name:    "classify pages",
		Formats: []string{warc.Format, classify.Format()},
		Short:   "gives each page to the crawler that owns it",
		Long: `Reads page batches (WARC). An answer that is this crawler's own goes to -mine, one that is another
node's to a batch below -outgoing, in the folder of that node's name, where its gofer fetches it.

-by says what decides:
  topic      the label that -model gives its text; a page in a foreign language goes to the node that
             owns the language, or the label foreign, if there is one
  language   the language alone
  content    a hash of the body, the one that xdup knows duplicates by
  text       a hash of the text it shows, which near-duplicates mostly share; of few words, as content
  none       nothing: all stay

By topic and language some pages cannot be judged: those whose status is not 2xx (invalid) stay; those
without a term (no-text) and those with fewer than -terms (short) go where -no-text and -short say.
With -unsure PATH, a topic less sure than -sure leaves by an output of its own.

Pages that were classified carry label=, and sure= with a topic. With -links-only all pages stay;
those that belong to another carry owner=NODE, and classify links -by owner sends their links.

The segments that -sent lists tell which bodies were sent in earlier runs; those that this one sends are
added, as the new segment -new. A body that its node has, with the same links, is sent without its bytes,
as a revisit record.

Counted: invalid, no-text, short, unsure, label-NAME, judged, not-judged; of those without a label their
bytes, too, as invalid-bytes; and kept, sent, to-NODE, sent-before. Labels are counted in lower case, with - for what
is no letter or digit.

Memory: the model, some 15 MB for lists of words and the rest, 256 KiB for each of at most 512 nodes that
are sent to; and some 200 MB while pages are made to take much: answers of 10 MB, in codings that look back
as far as they may; and 8 bytes for each page that is sent. Without -sent several runs may be at work at
once (jobs = 2).`,
		Example: `classify pages -nodes nodes.toml -node arts -model topics.model -mine mine.warc.gz \
    -outgoing out/x.warc.gz pages.warc.gz`,
	}, Setup: setupPages}
}

func setupPages(fs *flag.FlagSet) stage.Body {
	var o options
	o.declare(fs)
	mine := fs.String("mine", "-", "write the answers that stay to `FILE`")
	outgoing := fs.String("outgoing", "",
		"write batches for other nodes into folders beside `FILE`, a name as the manager gives it")
	sent := fs.String("sent", "",
		"read which bodies were sent before from the segments listed in `FILE`; none or empty: none was")
	made := fs.String("new", "", "write the new segment to `FILE`; without it bodies are sent again, each time")
	linksOnly := fs.Bool("links-only", false, "keep all pages, and mark with owner= those whose links are another's")
	return func(ctx context.Context, env *stage.Env) error {
		if *outgoing == "" && !*linksOnly && o.by != byNone {
			return stage.Usagef("-outgoing must be given: where other nodes' pages go")
		}
		set, me, err := o.nodes.Load()
		if err != nil {
			return err
		}
		assign, err := o.partition(set, me)
		if err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		s := newSender(env, me, *mine, *outgoing, o.unsureFile())
		s.assign, s.linksOnly = assign, *linksOnly
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
