package main

import (
	"fmt"
	"slices"
	"strings"
)

// fault is one way in which a host misbehaves. The table in the package comment says what
// each does.
type fault struct {
	name   string
	answer func(*wire) // to everything but robots.txt
	// robots answers robots.txt; nil forbids /private/ in good form.
	robots func(*wire)
	// names says that there are hosts below the host, x and a number: x7.h004.test.
	names bool
	// nothing says that no robots.txt can be had: nothing may be fetched. all says that
	// it holds no rules: everything may. Else /private/ may not.
	nothing, all bool
}

// kind is what the answers of a host with this fault count as.
func (f *fault) kind() kind { return kind(f.name) }

func (f *fault) kindOf(target string) kind {
	if f.isRobots(target) {
		return kindRobots
	}
	return f.kind()
}

// isRobots tells whether target is asked for the sake of robots.txt.
func (f *fault) isRobots(target string) bool {
	return isRobots(target) || f != nil && f.robots != nil && isRobotsHop(target)
}

func isRobots(target string) bool { return plainEscapes(target) == "/robots.txt" }

// faultTable holds every fault there is.
func faultTable() []fault {
	return slices.Concat(headFaults(), bodyFaults(), codingFaults(), redirectFaults(), busyFaults(),
		robotsFaults(), trapFaults(), pageFaults(), lieFaults())
}

// hostile is the part of a synthetic web that misbehaves: n of its hosts, spread evenly. The
// first has the first fault, and so on, and around again.
type hostile struct {
	n      int
	faults []fault
}

// choose takes only the fault of a name, and those chosen before.
func (h *hostile) choose(name string) error {
	all := slices.Concat(faultTable(), starvers())
	i := slices.IndexFunc(all, func(f fault) bool { return f.name == name })
	if i < 0 {
		names := ""
		for _, f := range all {
			names += " " + f.name
		}
		return fmt.Errorf("no such fault; there are%s", names)
	}
	h.faults = append(h.faults, all[i])
	return nil
}

// of is the fault of a host among so many, nil for one in good health.
func (h *hostile) of(host, hosts int) *fault {
	before, after := host*h.n/hosts, (host+1)*h.n/hosts
	if before == after {
		return nil
	}
	return &h.faults[before%len(h.faults)]
}

// faultOf is the fault of a host of s, nil for one in good health.
func (s shape) faultOf(host int) *fault { return s.hostile.of(host, s.hosts) }

// hostNumber is the inverse of hostName for the hosts of s, and of those below them.
func (s shape) hostNumber(name string) (int, bool) {
	if below, above, ok := strings.Cut(name, "."); ok && isTrapHost(below) {
		n, known := s.plainHost(above)
		return n, known && s.faultOf(n) != nil && s.faultOf(n).names
	}
	return s.plainHost(name)
}

// answerOf is what the fault does for target.
func (f *fault) answerOf(target string) func(*wire) {
	switch {
	case !isRobots(target):
		return f.answer
	case f.robots != nil:
		return f.robots
	}
	return always("200 OK", forbidPrivate, "Content-Type: text/plain")
}

// forbids tells whether robots.txt keeps crawlers from target.
func (f *fault) forbids(target string) bool {
	switch {
	case f.isRobots(target) || f.all:
		return false
	case f.nothing:
		return true
	}
	return strings.HasPrefix(target, "/private/")
}

const forbidPrivate = "User-agent: *\nDisallow: /private/\n"
