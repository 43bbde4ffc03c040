// Package links sends links to the crawlers that own them, before they are fetched. This is the
// method of URL-oriented partitions (thesis, section 3.1.1) and of X4's alternative for boundary
// pages (X4, section 7).
//
// Package partition decides which node owns a link. This crawler's own links pass on in input
// order. Links of others go to a URL batch in the folder of their owner (package outgoing), from
// which its gofer fetches them. Attributes such as depth and via travel with a link. Only owner is
// removed from every link, so that links on the page to which the link leads do not inherit it.
//
// # What was sent
//
// Many pages have the same links. To send no link twice, the sender remembers what it has sent, as
// X4's local tables do. (The crawler of Cho and Garcia-Molina, in exchange mode, forgets it with
// each batch.) The state sent is a table (package seen) with the keys
//
//	hash(NODE + " " + URL)
//
// hashed with the secret of this crawl (package keyed). Keys collide as rarely as those of filter.
// The node is the one that remembers the URL (package nodes). It stays the same when nodes join and
// leave, and its filter sends the URL on to the node that fetches it. The key contains the node's
// name, not its number. The transaction that commits the batches also commits the state. So a run
// that is rolled back has sent nothing, and sends everything when it runs again. If a state is
// lost, or restored from an old copy, links are sent again. This does no harm, because the owner's
// filter has seen them.
//
// This crawler's own links are not remembered here, because filter, the next stage, does that.
//
// A new crawler that replaces a lost one under the same name does not get the links again that were
// sent to the lost one. It gets only its seeds, and links that are found later and were not sent
// before. With another name, in the same place of nodes.toml, it gets every link that is found from
// then on.
//
// The URLs in Config.Replicated are not sent, because every crawler has them as seeds. They are the
// most linked URLs of an earlier crawl, as Cho and Garcia-Molina propose. That saves at most one
// link for each crawler and URL, because no link is sent twice.
//
// # Links from others
//
// The gofer's links go to filter and do not pass through this stage. So a link is sent at most
// once, and cannot go in circles. If somebody changes which nodes remember, a link may arrive at a
// crawler that does not own it, and a page may be fetched twice, but none is lost.
//
// # Modes
//
// Config.Others says what becomes of the links of others. The modes are those of Cho and
// Garcia-Molina ("Parallel crawlers", 2002). Their independent crawlers have the partition none.
//
//	exchange    Send: they are sent to their owners, as above
//	firewall    Drop: they end here with the reason others; pages that only they lead to are missed
//	cross-over  Aside: they go to an output of their own, each once; a second stage, which the
//	            manager starts only if nothing else can run, copies it to filter
//	in batches  Later: exchange; they go to an output, each once, which a second stage sends
//
// The output of Aside is cut into parts of at most 1,000 links. If the second stage takes one batch
// at a time, the crawler follows at most so many links of others before its own go first again. The
// state sent has the links that were set aside, as it has those that were sent. With Config.Sum it
// is neither read nor written (sum.go).
package links

import (
	"context"
	"errors"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/sharing/partition"
	"multitext/stages/internal/state/seen"
)

// portion limits how many links of others are collected and looked up together.
var portion = urlbatch.Portion{Records: 128 << 10, Bytes: 8 << 20}

// asideLinks is the maximum number of links in a part of the output Aside.
const asideLinks = 1000

// Config has the parameters of a run.
type Config struct {
	Me        *nodes.Node
	Partition partition.Partition
	Others    string // one of partition.Modes
	Sum       bool   // links of others are summed up by URL, and none is remembered

	// A file of URLs that all crawlers have as seeds, so that links to them are not sent; "": none.
	Replicated string

	Sent     string // file that lists the segments of the state; "" or missing: nothing was sent
	New      string // new segment of the state; "": no link is remembered
	Mine     string // first part of the output for this crawler's own links
	Outgoing string // first part of the output for links of others that are sent
	Aside    string // first part of the output for links of others that are set aside, or sent later
}

// sender is one run.
type sender struct {
	Config
	env      *stage.Env
	mine     *urlbatch.Writer
	aside    *urlbatch.Writer
	outgoing *outgoing.Writers[*urlbatch.Writer]
	sent     *seen.Table
	shared   map[uint64]bool // keys of the URLs in Replicated

	theirs urlbatch.Buffer // collected links of others
	owners []*nodes.Node   // owner of each link in theirs
	keys   []uint64        // key of each link in theirs
	times  []int64         // how many links each link in theirs stands for, if they are summed up
	first  map[uint64]int  // the link in theirs with a key that stands for all, if they are summed up
	text   []byte          // buffer for the text of a key
	fresh  [][]int         // links in theirs to send, by the number of their owner

	count map[*nodes.Node]int64 // number of links sent
}

// Run performs the run. It writes this crawler's own links to c.Mine, and links of others to the
// folders of their nodes or to c.Aside. Links of others that were written before end here with the
// reason sent-before.
func Run(ctx context.Context, env *stage.Env, c Config) error {
	sent, err := seen.Open(c.Sent, env.Hash)
	if err != nil {
		return err
	}
	defer sent.Close()
	s := &sender{Config: c, env: env, sent: sent, count: map[*nodes.Node]int64{}, first: map[uint64]int{},
		mine:  urlbatch.NewWriter(env.Files, c.Mine, env.Report.Out),
		aside: urlbatch.NewWriter(env.Files, c.Aside, env.Report.Out)}
	s.outgoing = outgoing.New(env.Files, c.Outgoing, outgoing.URLs, func(parts *output.Parts) *urlbatch.Writer {
		return urlbatch.NewPartsWriter(parts, env.Report.Out)
	})
	if s.shared, err = c.replicated(ctx, env.Hash); err != nil {
		return err
	}
	if err := urlbatch.Each(ctx, env.Inputs, env.Stdin, env.Report, nil, s.link); err != nil {
		return err
	}
	if err := s.send(); err != nil {
		return err
	}
	if err := errors.Join(s.mine.Close(), s.aside.Close(), s.outgoing.Close()); err != nil {
		return err
	}
	for owner, n := range s.count {
		env.Report.Count("to-"+owner.Name, n)
	}
	return sent.Save(env.Files, c.New, env.Report)
}

// link writes an own link, or collects a link of another node.
func (s *sender) link(rec *urlbatch.Record) error {
	owner := s.Partition(rec)
	if owner == nil {
		s.env.Report.Count("owner-unknown", 1)
		owner = s.Me
	}
	//failpoint:others-kept owner = s.Me
	if owner == s.Me || s.Others != partition.Later { // the stage that sends it later looks for the owner again
		rec.Del(urlbatch.Owner)
	}
	if owner == s.Me {
		return s.mine.Write(rec)
	}
	switch {
	case s.Others == partition.Drop:
		s.env.Report.Reason("others", 1)
		return nil
	case len(s.shared) > 0 && s.Others != partition.Aside && s.shared[s.env.Hash.Sum(rec.URLBytes())]:
		s.env.Report.Reason("replicated", 1)
		return nil
	}
	s.theirs.Add(rec)
	s.owners = append(s.owners, owner)
	s.keys = append(s.keys, s.key(owner, rec))
	if s.Sum {
		s.times = append(s.times, rec.Times())
	}
	if s.theirs.Len() < portion.Records && s.theirs.Size() < portion.Bytes {
		return nil
	}
	return s.send()
}

// key returns the key of a link in the state sent.
func (s *sender) key(owner *nodes.Node, rec *urlbatch.Record) uint64 {
	s.text = append(append(s.text[:0], owner.Name...), ' ')
	s.text = append(s.text, rec.URLBytes()...)
	if s.Sum {
		s.text = append(s.text, ' ', origin(rec))
	}
	return s.sent.Hash().Sum(s.text)
}

// send writes the collected links to their owners' folders or to the output Aside, except links
// that were written before. If links are summed up, it writes one link for all with the same key.
func (s *sender) send() error {
	judge, reason := s.sent.Judge, "sent-before"
	if s.Sum {
		judge, reason = s.sumUp, "summed"
	}
	verdicts, err := judge(s.keys)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		//failpoint:sent-forgotten v = seen.New
		switch {
		case v != seen.New:
			s.env.Report.Reason(reason, 1)
		case s.Others == partition.Send:
			s.sort(i)
		default:
			if err := s.setAside(i); err != nil {
				return err
			}
		}
	}
	for number, links := range s.fresh {
		if err := s.write(links); err != nil {
			return err
		}
		s.fresh[number] = links[:0]
	}
	s.theirs.Reset()
	s.owners, s.keys, s.times = s.owners[:0], s.keys[:0], s.times[:0]
	return nil
}

// setAside writes link i of theirs to the output Aside.
func (s *sender) setAside(i int) error {
	rec := s.record(i)
	err := s.aside.Write(&rec)
	if err == nil && s.Others == partition.Aside && s.aside.Records() >= asideLinks {
		err = s.aside.Cut()
	}
	return err
}

// sort adds link i of theirs to the links of its owner. All links of an owner are written together,
// because only a limited number of owners can have an open part. Otherwise each link might become a
// separate file.
func (s *sender) sort(i int) {
	number := s.owners[i].Number
	for len(s.fresh) <= number {
		s.fresh = append(s.fresh, nil)
	}
	s.fresh[number] = append(s.fresh[number], i)
}

// write writes links, which have the same owner, to the owner's folder.
func (s *sender) write(links []int) error {
	for _, i := range links {
		w, err := s.outgoing.To(s.owners[i])
		if err != nil {
			return err
		}
		rec := s.record(i)
		if err := w.Write(&rec); err != nil {
			return err
		}
		s.count[s.owners[i]]++
	}
	return nil
}
