package main

import (
	"context"
	"flag"
	"slices"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/sharing/nodes"
)

// A crew is the crawlers that work together, as one of them sees it.
type crew struct {
	flags nodes.Flags
	reach store.Options

	nodes *nodes.Set
	me    *nodes.Node
}

func (c *crew) declare(fs *flag.FlagSet) {
	c.flags.Declare(fs)
	fs.StringVar(&c.reach.Identity, "identity", "", "sftp: use the private key in `FILE`; without it the agent's")
	fs.StringVar(&c.reach.KnownHosts, "known-hosts", "", "sftp: trust the host keys in `FILE`, and no others")
	fs.DurationVar(&c.reach.Timeout, "timeout", time.Minute, "give a peer up when no byte has come for this `DURATION`")
}

// load reads the file of the nodes.
func (c *crew) load() (err error) {
	c.nodes, c.me, err = c.flags.Load()
	return err
}

// peers are all nodes but this one.
func (c *crew) peers() []*nodes.Node {
	return slices.DeleteFunc(slices.Clone(c.nodes.All()), func(n *nodes.Node) bool { return n == c.me })
}

// open gives the place where a peer holds batches for us.
func (c *crew) open(ctx context.Context, peer *nodes.Node) (store.Store, error) {
	return store.Open(ctx, c.nodes.URL(peer, c.me), c.reach)
}
