package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
)

// shipVerb is the stage of a crawler whose outgoing is to lie in a bucket. A folder waits for
// others to come; a bucket is nobody's machine, so what is for others must be brought there.
func shipVerb() stage.Verb {
	return stage.Verb{Name: "ship", Setup: setupShip, Tool: stage.Tool{
		Name:  "gofer ship",
		Short: "brings what this crawler holds for others into their bucket",
		Args:  "(none)",
		Long: `Reads no input. It puts what lies in -outgoing, in a folder for each other node, where the file
-nodes says that -node holds batches for that one, which must be s3://, and then removes it here. The
others pull it from there. A batch that is there already was put by a run that was killed before it
removed it. One that was pulled meanwhile, and is put once more, is in the ledger of who pulled it.

Not put, and left here: batches that do not have the hash in their name, and other names.

Counts: batches, bytes, to-NODE-batches, to-NODE-bytes, there (were there already), torn, failed
(could not be put this time), foreign (other names), nodes-unreachable, nodes-refused.

Memory: some MB.`,
		Example: `gofer ship -nodes nodes.toml -node arts -outgoing crawl/arts/outgoing`,
	}}
}

func setupShip(flags *flag.FlagSet) stage.Body {
	s := &shipper{}
	s.crew.declare(flags)
	flags.StringVar(&s.outgoing, "outgoing", "", "ship what lies in `FOLDER`/NODE/")
	return func(ctx context.Context, env *stage.Env) error {
		if s.outgoing == "" || !slices.Equal(env.Inputs, []string{"-"}) {
			return stage.Usagef("-outgoing FOLDER must be given, and nothing behind the flags")
		}
		if err := s.load(); err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		s.env = env
		return s.run(ctx)
	}
}

// A shipper is one run.
type shipper struct {
	crew
	env      *stage.Env
	outgoing string

	batches int64   // put, or there already
	trouble []error // what keeps a node's batches from being put
}

// run ships to all nodes for which something lies here. It fails when nothing at all could be
// shipped.
func (s *shipper) run(ctx context.Context) error {
	for _, to := range s.peers() {
		err := s.shipTo(ctx, to)
		var there *peerError
		switch {
		case errors.As(err, &there):
			s.tell(to, there.err)
		case err != nil:
			return err
		}
	}
	if len(s.trouble) == 0 || s.batches > 0 {
		return nil
	}
	err := fmt.Errorf("nothing could be shipped:\n%w", errors.Join(s.trouble...))
	if errors.Is(err, store.ErrUnreachable) {
		return stage.TryLater(err)
	}
	return err // it is for somebody to act
}

func (s *shipper) tell(to *nodes.Node, err error) {
	switch {
	case errors.Is(err, store.ErrUnreachable):
		s.env.Report.Count("nodes-unreachable", 1)
	case errors.Is(err, store.ErrRefused):
		s.env.Report.Count("nodes-refused", 1)
	}
	err = fmt.Errorf("%s: %w", to.Name, err)
	s.env.Report.Note(err.Error())
	s.trouble = append(s.trouble, err)
}

// shipTo ships what lies here for one node.
func (s *shipper) shipTo(ctx context.Context, to *nodes.Node) error {
	folder := store.OpenFolder(filepath.Join(s.outgoing, to.Name))
	here, freight, err := s.freight(ctx, folder)
	if err != nil || len(freight) == 0 {
		return err
	}
	place, err := s.place(ctx, to)
	if err != nil {
		return &peerError{err}
	}
	defer place.Close()
	if here.agreed != "" {
		if err := place.Put(ctx, string(here.agreed), strings.NewReader(""), 0); err != nil &&
			!errors.Is(err, fs.ErrExist) {
			return &peerError{err}
		}
	}
	for _, b := range inTurn(freight) {
		err := s.ship(ctx, place, folder, to, b)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another run may have shipped it meanwhile
			return err
		}
	}
	return nil
}

// freight gives what lies in a folder: the agreement, and at most as many batches as one run deals
// with. A folder that is not there is empty: the first batch makes it.
func (s *shipper) freight(ctx context.Context, folder *store.Folder) (here listing, freight []batch, err error) {
	for b, err := range here.batches(ctx, folder) {
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return here, nil, err
		}
		if len(freight) < atMost { // the agreement may be behind them all
			freight = append(freight, b)
		}
	}
	if foreign := here.foreign + folder.Passed(); foreign > 0 {
		s.env.Report.Count("foreign", foreign)
	}
	return here, freight, nil
}

// place opens where batches for a node are to lie. A folder is refused: it would most likely be the
// one that the batches lie in, where each is "there already", and would be removed.
func (s *shipper) place(ctx context.Context, to *nodes.Node) (*store.Bucket, error) {
	url := s.nodes.URL(s.me, to)
	if !strings.HasPrefix(url, "s3:") {
		return nil, fmt.Errorf("%w: %s says that what is for it stays here, in a folder from which it pulls: nothing"+
			" need be shipped; to use a bucket write s3://… there",
			store.ErrRefused, s.flags.File)
	}
	return store.OpenBucket(ctx, url, s.reach)
}

// ship puts one batch there, and removes it here when it is safe.
func (s *shipper) ship(ctx context.Context, place *store.Bucket, folder *store.Folder, to *nodes.Node, b batch) error {
	file, err := folder.OpenFile(ctx, b.name)
	if err != nil {
		return err
	}
	defer file.Close()
	size, sum, err := fill(io.Discard, file, math.MaxInt64)
	if err != nil {
		return err
	}
	report := s.env.Report
	if sum != b.sum {
		report.Count("torn", 1)
		report.Note(fmt.Sprintf("%s: %s is torn: it has %d bytes of the hash %016x; it stays here", to.Name, b.name,
			size, sum))
		return nil
	}
	err = place.Put(ctx, b.name, file, size)
	switch {
	case err == nil:
		report.Count("batches", 1)
		report.Count("bytes", size)
		report.Count("to-"+to.Name+"-batches", 1)
		report.Count("to-"+to.Name+"-bytes", size)
	case errors.Is(err, fs.ErrExist):
		report.Count("there", 1)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, store.ErrUnreachable), errors.Is(err, store.ErrRefused):
		return &peerError{err}
	default:
		report.Count("failed", 1)
		s.trouble = append(s.trouble, fmt.Errorf("%s: %w", to.Name, err))
		report.Note(fmt.Sprintf("%s: %v", to.Name, err))
		return nil
	}
	s.batches++
	return folder.Remove(ctx, b.name)
}
