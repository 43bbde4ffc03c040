package main

import (
	"context"
	"flag"
	"slices"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/sharing/nodes"
)

// A crew is a set of crawlers that work together, from the view of one of them.
type crew struct {
	flags nodes.Flags
	reach store.Options

	nodes *nodes.Set
	me    *nodes.Node
}

func (c *crew) declare(fs *flag.FlagSet) {
	c.flags.Declare(fs)
	fs.StringVar(&c.reach.Identity, "identity", "", "sftp: use the private key in `FILE` (default: the agent's keys)")
	fs.StringVar(&c.reach.KnownHosts, "known-hosts", "", "sftp: trust only the host keys in `FILE`")
	fs.DurationVar(&c.reach.Timeout, "timeout", time.Minute, "give up a peer that has sent no byte for this `DURATION`")
}

// load reads the file in -nodes.
func (c *crew) load() (err error) {
	c.nodes, c.me, err = c.flags.Load()
	return err
}

// peers returns all nodes except this one.
func (c *crew) peers() []*nodes.Node {
	return slices.DeleteFunc(slices.Clone(c.nodes.All()), func(n *nodes.Node) bool { return n == c.me })
}

// open returns the place where a peer holds batches for this crawler.
func (c *crew) open(ctx context.Context, peer *nodes.Node) (store.Store, error) {
	return store.Open(ctx, c.nodes.URL(peer, c.me), c.reach)
}
