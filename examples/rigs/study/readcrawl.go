package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"multitext/examples/rigs/internal/programs"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/crawled"
)

// read takes all that is counted from the crawl's folder.
func (b *bench) read(x *crawl) error {
	graph, err := programs.Output(b.bin, "testweb",
		append([]string{"-topical", filepath.Join(b.folder, "web.toml"), "-seed", "1", "-links"}, b.settings...)...)
	if err != nil {
		return err
	}
	if x.web, err = web.ReadGraph(bytes.NewReader(graph)); err != nil {
		return err
	}
	var nodes struct{ Node []struct{ Name string } }
	if _, err := toml.DecodeFile(filepath.Join(b.folder, "nodes.toml"), &nodes); err != nil {
		return fmt.Errorf("read the nodes: %w", err)
	}
	for _, n := range nodes.Node {
		x.nodes = append(x.nodes, n.Name)
		if err := b.readNode(x, n.Name); err != nil {
			return fmt.Errorf("read the crawl of %s: %w", n.Name, err)
		}
	}
	account, err := os.ReadFile(filepath.Join(b.folder, "web.json"))
	if err == nil {
		err = json.Unmarshal(account, &x.treated)
	}
	if err != nil {
		return fmt.Errorf("read the web's account: %w", err)
	}
	return nil
}

func (b *bench) readNode(x *crawl, node string) error {
	text, err := programs.Output(b.bin, "manager", "status", "-json", "-var", "node="+node, "-var", "web="+b.address,
		filepath.Join(b.folder, "c4.toml"))
	if err != nil {
		return err
	}
	status, err := crawled.ReadStatus(text)
	if err != nil {
		return err
	}
	archive, err := crawled.ReadArchive(filepath.Join(b.folder, "crawl", node, "archive"))
	if err != nil {
		return err
	}
	givenUp, err := b.givenUp(node)
	if err != nil {
		return err
	}
	x.status, x.archives, x.givenUp = append(x.status, status), append(x.archives, archive), append(x.givenUp, givenUp)
	for url, label := range archive.Labels {
		x.labels[url] = label
	}
	seeds, err := b.seedsOf(x, node)
	x.seeds = append(x.seeds, seeds)
	return err
}

// givenUp is how many URLs resolve and fetch have given up.
func (b *bench) givenUp(node string) (n int, err error) {
	for _, queue := range []string{"refused", "given_up"} {
		reasons, err := crawled.Reasons(filepath.Join(b.folder, "crawl", node, queue))
		if err != nil {
			return 0, err
		}
		for _, urls := range reasons {
			n += urls
		}
	}
	return n, nil
}

// seedsOf are the pages that a crawler begins with. A seed of a larger web is added to this one, as
// a page that is gone.
func (b *bench) seedsOf(x *crawl, node string) (pages []int, err error) {
	seeds, err := os.ReadFile(filepath.Join(b.folder, "seeds", node+".txt"))
	if err != nil {
		return nil, err
	}
	number := make(map[string]int)
	for i := range x.web.Pages {
		number[x.web.Pages[i].URL] = i
	}
	for _, url := range strings.Fields(string(seeds)) {
		page, ok := number[url]
		if !ok {
			page = len(x.web.Pages)
			x.web.Pages = append(x.web.Pages, web.Page{URL: url, Status: 404, Size: 1})
		}
		pages = append(pages, page)
	}
	return pages, nil
}
