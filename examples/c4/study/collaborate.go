package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"multitext/examples/c4/study/internal/crawled"
	"multitext/examples/c4/study/internal/web"
)

// manners are how the crawlers have treated the web, as testweb -stats tells it.
type manners struct {
	Connections, Requests struct{ Most int }
	Gap                   struct {
		Seconds float64
		Host    string
	}
}

// A bench is a copy of examples/c4 in a folder of its own, and where its web answers.
type bench struct {
	*lab
	folder, address string
	settings        []string // of the web, as testweb and c4 take them
}

// collaborate runs the sixteen crawlers on a web of the given locality. Of a crawl that fails the folder stays.
func (l *lab) collaborate(locality float64) (*crawl, error) {
	dir, err := os.MkdirTemp("", "c4-study-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for a crawl: %w", err)
	}
	x, err := l.collaborateIn(dir, locality)
	if err != nil {
		return nil, fmt.Errorf("the crawl in %s: %w", dir, err)
	}
	return x, os.RemoveAll(dir)
}

// collaborateIn does it in a folder, which it leaves as it is.
func (l *lab) collaborateIn(dir string, locality float64) (x *crawl, err error) {
	b := &bench{lab: l, folder: dir, settings: []string{"-set", fmt.Sprint("pages=", l.Synthetic.Pages), "-set", fmt.Sprint("locality=", locality)}}
	if err := b.copyExample(); err != nil {
		return nil, err
	}
	if b.address, err = free(); err != nil {
		return nil, err
	}
	began := time.Now()
	args := append([]string{"run", "-web", b.address}, b.settings...)
	if locality != l.Synthetic.Shown {
		args = append(args, "-var", "delay=0s")
	}
	if _, err := b.program("c4", append(args, dir)...); err != nil {
		return nil, err
	}
	x = &crawl{seconds: time.Since(began).Seconds(), labels: map[string]string{}}
	return x, b.read(x)
}

// copyExample copies what a crawl begins with.
func (b *bench) copyExample() error {
	for _, name := range []string{"c4.toml", "nodes.toml", "scope.txt", "web.toml"} {
		text, err := os.ReadFile(filepath.Join(b.example, name))
		if err != nil {
			return fmt.Errorf("copy the example: %w", err)
		}
		if err := os.WriteFile(filepath.Join(b.folder, name), text, 0o666); err != nil {
			return fmt.Errorf("copy the example: %w", err)
		}
	}
	if err := os.CopyFS(filepath.Join(b.folder, "seeds"), os.DirFS(filepath.Join(b.example, "seeds"))); err != nil {
		return fmt.Errorf("copy the example: %w", err)
	}
	return nil
}

// free finds an address that nobody listens at.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find an address for the web: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// program runs one of the crawl's programs and returns what it prints.
func (b *bench) program(name string, args ...string) ([]byte, error) {
	bin, err := filepath.Abs(filepath.Join(b.bin, name))
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", name, err)
	}
	cmd := exec.Command(bin, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; it said %q", name, err, tail(said.String(), 500))
	}
	return out, nil
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// read takes all that is counted from the crawl's folder.
func (b *bench) read(x *crawl) error {
	graph, err := b.program("testweb", append([]string{"-topical", filepath.Join(b.folder, "web.toml"), "-seed", "1", "-links"}, b.settings...)...)
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
	text, err := b.program("manager", "status", "-json", "-var", "node="+node, "-var", "web="+b.address, filepath.Join(b.folder, "c4.toml"))
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

// seedsOf are the pages that a crawler begins with. A seed of a larger web is added to this one, as a page that is gone.
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
