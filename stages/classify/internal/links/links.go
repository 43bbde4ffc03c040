// Package links sends links to the crawlers that own them, before they are fetched: the walk of
// URL-oriented partitions (thesis, section 3.1.1) and of X4's alternative for boundary pages
// (section 7 there).
//
// Which node owns a link, package partition tells. Links that are ours pass on in the order they
// came; the others go to a URL batch in the folder of their owner (package outgoing), from which
// its gofer takes them. Attributes travel with a link (depth, via and what else it has), but for
// owner, which has done its work: it is removed from every link, so that it never says of a page's
// links what was meant for the page that led to it.
//
// # What was sent
//
// A page has links that a hundred others have, too. So that none is sent twice, the sender
// remembers what it has sent, as X4's local tables do (Cho's and Garcia-Molina's crawler in
// exchange mode forgets it with each batch): the state sent is a table (package seen) of
//
//	hash(NODE + " " + URL)
//
// with the secret of this crawl (package keyed), which alone reads it. Keys may collide, as seldom
// as filter's. The node's name is in the key, not its number: who owns a URL anew, because
// nodes.toml was changed, gets it, when it is found again. The state counts by the same transaction
// as the batches, so that a run that is rolled back has sent nothing, and sends it all when it runs
// again. Where a state is lost, or taken from a copy of last week, links are sent again; they do no
// harm, since the filter of the owner has seen them.
//
// Our own links are not remembered: that is the work of filter, which they come to next.
//
// A crawler that is made anew in the place of a lost one does not get again what was sent to that:
// only its seeds, and what is found from then on and was not sent before. Under another name, in
// the same place of nodes.toml, it gets all that is found from then on.
//
// # Links from others
//
// What the gofer brings goes to filter, and does not come through here: a link is sent on once at
// most, and cannot go in circles. Where the sender's nodes.toml is another than the owner's, as
// while a new one is brought to all machines, a link may come to one that does not own it. It is
// fetched where it is then; a page may be fetched twice by that, and none is lost.
package links

import (
	"context"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/sharing/partition"
	"multitext/stages/internal/state/seen"
)

// portion is how many links of others are gathered and looked up together.
var portion = urlbatch.Portion{Records: 128 << 10, Bytes: 8 << 20}

// Config is what a run is given.
type Config struct {
	Me        *nodes.Node
	Partition partition.Partition

	Sent     string // file that lists the segments of the state; "" and a missing one: nothing was sent
	New      string // new segment of the state; "": nothing is remembered
	Mine     string // first part of the output for our own links
	Outgoing string // first part of the output for those of others
}

// sender is one run.
type sender struct {
	Config
	env      *stage.Env
	mine     *urlbatch.Writer
	outgoing *outgoing.Writers[*urlbatch.Writer]
	sent     *seen.Table

	theirs urlbatch.Buffer // links of others that are gathered
	owners []*nodes.Node   // of theirs
	keys   []uint64        // of theirs
	text   []byte          // of a key
	fresh  [][]int         // those of theirs that are to be sent, by the number of their owner

	count map[*nodes.Node]int64 // links sent
}

// Send is the run. Of in, those that are ours go to mine, those of others to their nodes, and those
// of others that were sent before leave the flow with the reason sent-before.
func Send(ctx context.Context, env *stage.Env, c Config) error {
	sent, err := seen.Open(c.Sent, env.Hash)
	if err != nil {
		return err
	}
	defer sent.Close()
	s := &sender{Config: c, env: env, sent: sent, mine: urlbatch.NewWriter(env.Files, c.Mine, env.Report.Out),
		count: map[*nodes.Node]int64{}}
	s.outgoing = outgoing.New(env.Files, c.Outgoing, outgoing.URLs, func(parts *output.Parts) *urlbatch.Writer {
		return urlbatch.NewPartsWriter(parts, env.Report.Out)
	})
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, s.link); err != nil {
		return err
	}
	if err := s.send(); err != nil {
		return err
	}
	if err := s.mine.Close(); err != nil {
		return err
	}
	if err := s.outgoing.Close(); err != nil {
		return err
	}
	for owner, n := range s.count {
		env.Report.Count("to-"+owner.Name, n)
	}
	return sent.Save(env.Files, c.New, env.Report)
}

// link writes a link of ours, and gathers one of another's.
func (s *sender) link(rec *urlbatch.Record) error {
	owner := s.Partition(rec)
	if owner == nil {
		s.env.Report.Count("owner-unknown", 1)
		owner = s.Me
	}
	rec.Del(urlbatch.Owner)
	if owner == s.Me {
		return s.mine.Write(rec)
	}
	s.theirs.Add(rec)
	s.owners = append(s.owners, owner)
	s.keys = append(s.keys, s.key(owner, rec))
	if s.theirs.Len() < portion.Records && s.theirs.Size() < portion.Bytes {
		return nil
	}
	return s.send()
}

// key is the key of a link in the state sent.
func (s *sender) key(owner *nodes.Node, rec *urlbatch.Record) uint64 {
	s.text = append(append(s.text[:0], owner.Name...), ' ')
	s.text = append(s.text, rec.URLBytes()...)
	return s.sent.Hash().Sum(s.text)
}

// send writes the links that are gathered to their owners, but for those that were sent before.
func (s *sender) send() error {
	verdicts, err := s.sent.Judge(s.keys)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		if v != seen.New {
			s.env.Report.Reason("sent-before", 1)
			continue
		}
		s.sort(i)
	}
	for number, links := range s.fresh {
		if err := s.write(links); err != nil {
			return err
		}
		s.fresh[number] = links[:0]
	}
	s.theirs.Reset()
	s.owners, s.keys = s.owners[:0], s.keys[:0]
	return nil
}

// sort puts link i of theirs to those of its owner. All of one owner are written together, for of
// many owners only some can have an open part: each link by itself would be a file of its own.
func (s *sender) sort(i int) {
	number := s.owners[i].Number
	for len(s.fresh) <= number {
		s.fresh = append(s.fresh, nil)
	}
	s.fresh[number] = append(s.fresh[number], i)
}

// write writes links, which have one owner, to it.
func (s *sender) write(links []int) error {
	for _, i := range links {
		w, err := s.outgoing.To(s.owners[i])
		if err != nil {
			return err
		}
		rec := s.theirs.Record(i)
		if err := w.Write(&rec); err != nil {
			return err
		}
		s.count[s.owners[i]]++
	}
	return nil
}
