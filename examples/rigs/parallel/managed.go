package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"multitext/examples/internal/warcs"
	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/programs"
	"multitext/examples/rigs/internal/served"
)

// A managed is a Web that testweb answers with, for crawls by the programs: managers with examples/c4/c4.toml.
type managed struct {
	*lab
	*advised.Folder // of the same Web
	on              *named
	site            *served.Site
}

// newManaged serves a Web; flags are more of testweb.
func (l *lab) newManaged(on *named, seeds [][]uint32, flags ...string) (*managed, error) {
	f, err := advised.New(l.bin, advised.Of(on.Web), nil, seeds)
	if err != nil {
		return nil, err
	}
	site, err := served.Start(l.bin, f.Path("web"), on.Web, flags...)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &managed{lab: l, Folder: f, on: on, site: site}, nil
}

func (m *managed) close() {
	m.site.Close()
	m.Folder.Close()
}

// A crawl by managers is what each has fetched, and what c4 measure says of it.
type crawled struct {
	pages [][]uint32 // of each crawler, as often as it fetched them, in the order of its archive
	figures
}

// figures are what is read of c4 measure -json.
type figures struct {
	Crawlers []struct {
		URLsSent   int `json:"urls_sent"`
		SentBefore int `json:"sent_before"`
		Dropped    int
		Replicated int
		BytesSent  int `json:"bytes_sent"`
	}
	Overlap float64
}

// crawl has so many managers crawl from seeds, each from its own, and reads what came of it. Of a crawl that fails
// the folder stays.
func (m *managed) crawl(seeds [][]uint32, script edit, vars ...string) (*crawled, error) {
	dir, err := os.MkdirTemp("", "parallel-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for a crawl: %w", err)
	}
	c := &crawled{}
	if err = m.prepare(dir, seeds, script); err == nil {
		err = m.run(dir, vars)
	}
	if err == nil {
		err = m.read(c, dir, len(seeds))
	}
	if err != nil {
		return nil, fmt.Errorf("the crawl in %s: %w", dir, err)
	}
	return c, os.RemoveAll(dir)
}

// An edit has the script say something else.
type edit struct{ old, new string }

// prepare writes what a crawl begins with.
func (m *managed) prepare(dir string, seeds [][]uint32, script edit) error {
	err := errors.Join(os.Mkdir(filepath.Join(dir, "seeds"), 0o777),
		os.WriteFile(filepath.Join(dir, "nodes.toml"), []byte(nodesFile(len(seeds))), 0o666),
		os.WriteFile(filepath.Join(dir, "topics.model"), []byte("none: pages stay"), 0o666))
	for _, name := range []string{"c4.toml", "scope.txt", "web.toml"} {
		text, errRead := os.ReadFile(filepath.Join(m.example, name))
		if name == "c4.toml" {
			if !bytes.Contains(text, []byte(script.old)) {
				err = errors.Join(err, fmt.Errorf("%s does not have %q", name, script.old))
			}
			text = bytes.ReplaceAll(text, []byte(script.old), []byte(script.new))
		}
		err = errors.Join(err, errRead, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	for number, pages := range seeds {
		var text []byte
		for _, page := range pages {
			text = append(m.URL(text, page), '\n')
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "seeds", nodeName(number)+".txt"), text, 0o666))
	}
	if err != nil {
		return fmt.Errorf("prepare a crawl: %w", err)
	}
	return nil
}

// run runs the managers until all are quiet.
func (m *managed) run(dir string, vars []string) error {
	args := []string{"run", "-serve=false", "-web", m.site.Address, "-looks", "500ms"}
	for _, v := range append([]string{"pages_by=none"}, vars...) {
		args = append(args, "-var", v)
	}
	_, err := programs.Output(m.bin, "c4", append(args, dir)...)
	return err
}

// read reads what came of a crawl.
func (m *managed) read(c *crawled, dir string, crawlers int) error {
	args := []string{"measure", "-json"}
	for number := range crawlers {
		folder := filepath.Join(dir, "crawl", nodeName(number))
		pages, err := archived(filepath.Join(folder, "archive"))
		if err != nil {
			return err
		}
		c.pages, args = append(c.pages, pages), append(args, folder)
	}
	text, err := programs.Output(m.bin, "c4", args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &c.figures); err != nil {
		return fmt.Errorf("read what c4 measure says: %w", err)
	}
	return nil
}

// archived are the pages whose answers an archive has.
func archived(folder string) (pages []uint32, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
	for _, file := range files {
		errRead := warcs.ReadFile(file, func(r *warcs.Record) error {
			if kind := r.Header.Get("WARC-Type"); kind != "response" && kind != "revisit" {
				return nil
			}
			page, err := advised.PageOf(r.Header.Get("WARC-Target-URI"))
			pages = append(pages, page)
			return err
		})
		err = errors.Join(err, errRead)
	}
	if err != nil {
		return nil, fmt.Errorf("read an archive: %w", err)
	}
	return pages, nil
}
