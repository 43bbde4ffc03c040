package main

import (
	"errors"
	"flag"
	"fmt"

	"multitext/stages/internal/sharing/nodes"
)

// peers describes the crawlers that may request from the same hosts, and which of them this one is.
type peers struct {
	number int // at least 1
	turn   int // number of this crawler; below 0: no turns
	nodes  nodes.Flags
}

// maxPeers is the largest factor for a delay.
const maxPeers = 10_000

func (p *peers) flags(fs *flag.FlagSet) {
	fs.IntVar(&p.number, "peers", 1,
		"share the delays with the others of `N` crawlers, including this one: each multiplies every\n"+
			"delay by N, and uses its part of the limits for an address and for a host's share")
	fs.IntVar(&p.turn, "turn", -1,
		"start requests to a host only in the turns of crawler `I` of -peers, from 0; turns follow the clock,\n"+
			"which must be synchronized; -nodes and -node set both")
	p.nodes.Declare(fs)
}

// check checks the flags and sets missing values.
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
		return errors.New("-nodes sets -peers and -turn: give one or the other")
	}
	all, me, err := p.nodes.Load()
	if err != nil {
		return err
	}
	p.number, p.turn = len(all.All()), me.Number
	return nil
}
