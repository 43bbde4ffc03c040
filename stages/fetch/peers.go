package main

import (
	"errors"
	"flag"
	"fmt"

	"multitext/stages/internal/sharing/nodes"
)

// peers are the crawlers that may ask the same hosts, and which of them this one is.
type peers struct {
	number int // at least 1
	turn   int // below 0: it takes none
	nodes  nodes.Flags
}

// maxPeers bounds what a delay is multiplied by.
const maxPeers = 10_000

func (p *peers) flags(fs *flag.FlagSet) {
	fs.IntVar(&p.number, "peers", 1,
		"keep the distance to a host together with the others of `N` crawlers, this one among them: each takes every\n"+
			"delay times N and its part of what bounds an address and a host's share")
	fs.IntVar(&p.turn, "turn", -1,
		"start requests to a host only in the turns of number `I` of the -peers, from 0; by the clock,\n"+
			"which must be in step with theirs; -nodes and -node say both")
	p.nodes.Declare(fs)
}

// check completes the flags.
func (p *peers) check() error {
	if p.nodes != (nodes.Flags{}) {
		if err := p.read(); err != nil {
			return err
		}
	}
	switch {
	case p.number < 1 || p.number > maxPeers:
		return fmt.Errorf("-peers must be from 1 to %d", maxPeers)
	case p.turn >= p.number:
		return fmt.Errorf("-turn must be below -peers, which is %d: the first is 0", p.number)
	}
	return nil
}

func (p *peers) read() error {
	if p.number != 1 || p.turn != -1 {
		return errors.New("-nodes says what -peers and -turn are: give one or the other")
	}
	all, me, err := p.nodes.Load()
	if err != nil {
		return err
	}
	p.number, p.turn = len(all.All()), me.Number
	return nil
}
