package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/programs"
	"multitext/examples/rigs/internal/results"
)

// Partitions of a Web. Those by site, URL and domain are what classify links says.
const (
	bySite   = "host"
	byURL    = "url"
	byDomain = "domain"
	byLot    = "lot"   // each page is dealt out by lot
	byTopic  = "topic" // the labels of pages are dealt out in turn; without a label a page is the first crawler's
)

// ownersOf are the owners of all pages of a Web.
func (l *lab) ownersOf(on *named, by string, crawlers int) (owners []uint16, err error) {
	on.parting.Lock()
	defer on.parting.Unlock()
	key := divided{by, crawlers}
	if owners, ok := on.owners[key]; ok {
		return owners, nil
	}
	owners = make([]uint16, len(on.Pages))
	switch {
	case crawlers == 1:
	case by == byLot:
		random := results.Random(l.Seed, crawlers, "lots of "+on.name)
		for page := range owners {
			owners[page] = uint16(random.IntN(crawlers))
		}
	case by == byTopic:
		labels := on.Labels()
		for page := range owners {
			owners[page] = uint16(max(slices.Index(labels, on.Pages[page].Label), 0) % crawlers)
		}
	default:
		err = l.explain(on, by, crawlers, owners)
	}
	if err != nil {
		return nil, fmt.Errorf("part %s by %s: %w", on.name, by, err)
	}
	on.owners[key] = owners
	return owners, nil
}

// mostNamed is how many URLs a call of classify names.
const mostNamed = 4000

// explain asks classify links whose each page is.
func (l *lab) explain(on *named, by string, crawlers int, owners []uint16) error {
	if l.bin == "" {
		return errNoPrograms
	}
	dir, err := os.MkdirTemp("", "parallel-")
	if err != nil {
		return fmt.Errorf("make a folder for nodes.toml: %w", err)
	}
	defer os.RemoveAll(dir)
	nodes := filepath.Join(dir, "nodes.toml")
	if err := os.WriteFile(nodes, []byte(nodesFile(crawlers)), 0o666); err != nil {
		return fmt.Errorf("write the nodes: %w", err)
	}
	w := advised.Of(on.Web)
	for begin := 0; begin < len(owners); begin += mostNamed {
		args := []string{"links", "-nodes", nodes, "-node", nodeName(0), "-by", by, "-explain"}
		for page := begin; page < min(begin+mostNamed, len(owners)); page++ {
			args = append(args, string(w.URL(nil, uint32(page))))
		}
		out, err := programs.Output(l.bin, "classify", args...)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(out)) {
			name, url, _ := strings.Cut(strings.TrimSpace(line), "\t")
			page, err := advised.PageOf(url)
			if err != nil {
				return err
			}
			number, err := strconv.ParseUint(strings.TrimPrefix(name, nodePrefix), 10, 16)
			if err != nil {
				return fmt.Errorf("classify links says %q: %w", line, err)
			}
			owners[page] = uint16(number)
		}
	}
	return nil
}

const nodePrefix = "n"

// nodeName is the name of a crawler.
func nodeName(number int) string { return nodePrefix + strconv.Itoa(number) }

// nodesFile is nodes.toml of so many crawlers.
func nodesFile(crawlers int) string {
	text := "nodes = 1\nurl = \"file:crawl/$FROM/outgoing/$TO\"\n"
	for number := range crawlers {
		text += fmt.Sprintf("[[node]]\nname = %q\n", nodeName(number))
	}
	return text
}
