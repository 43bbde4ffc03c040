// Command floor is the least program that crawls: what bin/bench holds multitext against. One
// process fetches over connections that stay open, finds links, keeps a seen-set in memory, and
// writes WARC.gz at level 1, each answer with its SHA-1. robots.txt is obeyed, so far as testweb's
// files need it.
//
//	floor -web 127.0.0.1:8480 -out archive.warc.gz http://h000.test/
//
// It is for the web of testweb, all of whose hosts answer at one address, and for nothing else:
// nothing is bounded, nothing waits, a second start does not go on where the first ended, and what
// it does not expect ends it.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"
)

func main() {
	web := flag.String("web", "127.0.0.1:8480", "`ADDRESS` at which all hosts answer")
	out := flag.String("out", "archive.warc.gz", "`FILE` to write")
	connections := flag.Int("connections", 16, "connections at once")
	flag.Parse()
	if err := crawl(*web, *out, *connections, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// crawl fetches all that is reachable from the seeds.
func crawl(web, out string, connections int, seeds []string) error {
	archive, err := os.Create(out)
	if err != nil {
		return err
	}
	defer archive.Close()
	f := newFrontier()
	for _, s := range seeds {
		u, ok := resolve(target{}, s, false)
		if !ok {
			return fmt.Errorf("seed %q is no URL", s)
		}
		f.add([]target{u})
	}
	var workers sync.WaitGroup
	failed := make(chan error, connections)
	for range connections {
		workers.Go(func() {
			err := work(web, archive, f)
			if err != nil {
				f.stop()
			}
			failed <- err
		})
	}
	workers.Wait()
	for range connections {
		if err := <-failed; err != nil {
			return err
		}
	}
	return archive.Close()
}

// work fetches what is in f until nothing is left.
func work(web string, archive *os.File, f *frontier) error {
	c, err := dial(web)
	if err != nil {
		return err
	}
	defer c.Close()
	w := newWriter(archive)
	for {
		u, ok := f.next()
		if !ok {
			return nil
		}
		r, err := f.rules(u.host, c)
		if err != nil {
			return err
		}
		if !r.allow(u.path) {
			f.done()
			continue
		}
		a, err := c.get(u)
		if err != nil {
			return fmt.Errorf("get %s%s: %w", u.host, u.path, err)
		}
		if err := w.write(u, c.request, a); err != nil {
			return err
		}
		f.add(links(u, a))
		f.done()
	}
}
