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

// shipVerb returns the stage that copies outgoing batches to a bucket. Other crawlers can fetch
// from a folder directly. A bucket belongs to no crawler, so batches must be copied there.
func shipVerb() stage.Verb {
	return stage.Verb{Name: "ship", Setup: setupShip, Tool: stage.Tool{
		Name:  "gofer ship",
		Short: "copies what this crawler holds for others to their bucket",
		Args:  "(none)",
		Long: `Has no input. For each other node it takes the batches in that node's folder below -outgoing
and puts them into a bucket. The file -nodes says in which place -node holds batches for that
node; the place must be s3://. After a batch is in the bucket it is removed here. The others
pull it from there. A batch that is in the bucket already was put there by a run that was
killed before it removed the batch here. If a batch was pulled meanwhile and is put there
again, the ledger of the node that pulled it has it.

Not put there but left here: batches whose bytes do not have the hash in the name, and other names.

Counters: batches, bytes, to-NODE-batches, to-NODE-bytes, there (were there already), torn,
failed (could not be put there this time), foreign (other names), nodes-unreachable,
nodes-refused.

Memory: a few MB.`,
		Example: `gofer ship -nodes nodes.toml -node arts -outgoing crawl/arts/outgoing`,
	}}
}

func setupShip(flags *flag.FlagSet) stage.Body {
	s := &shipper{}
	s.crew.declare(flags)
	flags.StringVar(&s.outgoing, "outgoing", "", "ship the batches in `FOLDER`/NODE/")
	return func(ctx context.Context, env *stage.Env) error {
		if s.outgoing == "" || !slices.Equal(env.Inputs, []string{"-"}) {
			return stage.Usagef("-outgoing FOLDER is required, and no arguments after the flags")
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

	batches int64   // number of batches put there, or there already
	trouble []error // errors that stopped the shipping for a node
}

// run ships to all nodes for which there is something. It returns an error if nothing at all could
// be shipped.
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

// shipTo ships the batches for one node.
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
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else another run has shipped it meanwhile
			return err
		}
	}
	return nil
}

// freight returns the content of a folder: the agreement, and at most as many batches as one run
// handles. A missing folder counts as empty, because the first batch creates it.
func (s *shipper) freight(ctx context.Context, folder *store.Folder) (here listing, freight []batch, err error) {
	for b, err := range here.batches(ctx, folder) {
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return here, nil, err
		}
		if len(freight) < atMost { // the agreement may come after all of them
			freight = append(freight, b)
		}
	}
	if foreign := here.foreign + folder.Passed(); foreign > 0 {
		s.env.Report.Count("foreign", foreign)
	}
	return here, freight, nil
}

// place opens the bucket for batches of a node. It rejects a folder, because that is most likely
// the folder with the batches: each would be "there already", and would be removed.
func (s *shipper) place(ctx context.Context, to *nodes.Node) (*store.Bucket, error) {
	url := s.nodes.URL(s.me, to)
	if !strings.HasPrefix(url, "s3:") {
		return nil, fmt.Errorf("%w: %s says that batches for it stay here, in a folder from which it pulls: nothing"+
			" needs to be shipped; to use a bucket, write s3://… there",
			store.ErrRefused, s.flags.File)
	}
	return store.OpenBucket(ctx, url, s.reach)
}

// ship puts one batch there, and removes it here when it is safe there.
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
		report.Note(fmt.Sprintf("%s: %s is torn: its %d bytes have the hash %016x; it stays here", to.Name, b.name,
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
