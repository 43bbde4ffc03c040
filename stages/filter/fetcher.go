package main

import (
	"flag"
	"slices"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/sharing/partition"
)

// fetchers knows which node fetches a URL, and sends it there. Without nodes this crawler fetches
// every URL.
//
// No URL is lost and none is fetched twice, whenever nodes join and leave. One filter alone judges
// a URL, that of the node that remembers it, and this is always the same node. So the URL is let
// through once. From then on all crawlers together have one record of it, in a batch or in a
// frontier. Each run that moves the record commits its output together with the fact that its input
// was read, and gofer brings a batch once. So there is one record, whoever is killed, until the URL
// is fetched, refused or given up. These are the places where it could go wrong:
//
//   - A new owner gets a link that the old owner has fetched: it does not judge the link. The link
//     goes to the node that remembers it, which has seen it.
//   - A batch waits in outgoing for a node that no longer owns its URLs. A link is for the node that
//     remembers it, as before. A URL with moved=1 passes the filter there, and is sent on.
//   - The state sent of classify links says that a link was sent to a node: that is the node that
//     remembers it, so this stays true.
//   - A page is in a queue, or in a run of fetch. Its record has ended, or ends with the commit of
//     that run. The page stays where it was fetched.
//   - A URL is behind recheck. It is fetched there; if the server is busy, it comes back through
//     frontier to recheck.
//   - A URL comes back to the node that remembers it, which has seen it: moved=1 lets it through.
//   - Two nodes have different versions of nodes.toml. gofer brings nothing meanwhile. Else a URL
//     would make a detour, no more: only the nodes that remember must be the same.
//
// What only one crawler knows does not move with a URL: failed tries, the budget of its host, and
// links to it that are counted (-known), which come to the node that remembers it.
type fetchers struct {
	nodes                nodes.Flags
	by, others, outgoing string

	me     *nodes.Node         // nil: there are no nodes, and moved=1 means nothing
	of     partition.Partition // nil: this crawler fetches all
	sender *outgoing.Writers[*urlbatch.Writer]
	env    *stage.Env
	theirs []theirs // records of a portion that others fetch
	count  map[string]int64
}

// theirs is a record of a portion that another node fetches.
type theirs struct {
	record int
	node   *nodes.Node
}

func (f *fetchers) declare(fs *flag.FlagSet) {
	f.nodes.Declare(fs)
	fs.StringVar(&f.by, "by", "", "with -nodes: the `PARTITION`, as for classify links")
	fs.StringVar(&f.others, "others", partition.Send,
		"with -nodes: the `MODE` of classify links; if it is neither send nor later, each URL is fetched where it is\n"+
			"let through")
	fs.StringVar(&f.outgoing, "outgoing", "",
		"with -nodes: write the URLs that another node fetches to folders beside `FILE`")
}

// load reads the nodes, if there are any.
func (f *fetchers) load() error {
	if f.nodes == (nodes.Flags{}) {
		return nil
	}
	set, me, err := f.nodes.Load()
	if err != nil {
		return err
	}
	of, err := partition.New(f.by, set.Fetching(), me)
	switch {
	case err != nil:
		return stage.Usagef("-by: %w", err)
	case f.outgoing == "":
		return stage.Usagef("-nodes needs -outgoing, for the URLs that another node fetches")
	}
	if err := partition.CheckMode(f.others); err != nil {
		return err
	}
	f.me = me
	if f.others == partition.Send || f.others == partition.Later {
		f.of = of
	}
	return nil
}

// open prepares a run.
func (f *fetchers) open(env *stage.Env) {
	f.env, f.count = env, map[string]int64{}
	f.sender = outgoing.New(env.Files, f.outgoing, outgoing.URLs, func(parts *output.Parts) *urlbatch.Writer {
		return urlbatch.NewPartsWriter(parts, env.Report.Out)
	})
}

// take takes record number i of a portion if another node fetches its URL.
func (f *fetchers) take(i int, rec *urlbatch.Record) bool {
	if f.of == nil {
		return false
	}
	node := f.of(rec)
	//failpoint:nothing-moves node = f.me
	if node == nil || node == f.me {
		return false
	}
	f.theirs = append(f.theirs, theirs{i, node})
	return true
}

// send writes the records that were taken of a portion. Those of a node are written together,
// because only a limited number of nodes can have an open part.
func (f *fetchers) send(records *urlbatch.Buffer) error {
	slices.SortStableFunc(f.theirs, func(a, b theirs) int { return a.node.Number - b.node.Number })
	for _, t := range f.theirs {
		w, err := f.sender.To(t.node)
		if err != nil {
			return err
		}
		rec := records.Record(t.record)
		rec.Del(urlbatch.Moved)
		rec.Set(urlbatch.Moved, "1") // the last one
		if err := w.Write(&rec); err != nil {
			return err
		}
		f.count["to-"+t.node.Name]++
	}
	f.theirs = f.theirs[:0]
	return nil
}

// close ends the parts and reports how many URLs each node got.
func (f *fetchers) close() error {
	for name, n := range f.count {
		f.env.Report.Count(name, n)
	}
	return f.sender.Close()
}
