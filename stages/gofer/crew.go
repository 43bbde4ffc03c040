package main

import (
	"context"
	"flag"
	"slices"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/nodes"
)

// A crew is the crawlers that work together, as one of them sees it.
type crew struct {
	file, name string
	reach      store.Options

	nodes *nodes.Set
	me    *nodes.Node
}

func (c *crew) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.file, "nodes", "", "read who takes part, and where each holds what is another's, from `FILE`")
	fs.StringVar(&c.name, "node", "", "be the node `NAME` of that file")
	fs.StringVar(&c.reach.Identity, "identity", "", "sftp: use the private key in `FILE`; without it the agent's")
	fs.StringVar(&c.reach.KnownHosts, "known-hosts", "", "sftp: trust the host keys in `FILE`, and no others")
	fs.DurationVar(&c.reach.Timeout, "timeout", time.Minute, "give a peer up when no byte has come for this `DURATION`")
}

// load reads the file of the nodes.
func (c *crew) load() (err error) {
	if c.file == "" || c.name == "" {
		return stage.Usagef("-nodes FILE and -node NAME must be given")
	}
	if c.nodes, err = nodes.Load(c.file); err != nil {
		return err
	}
	c.me, err = c.nodes.ByName(c.name)
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
