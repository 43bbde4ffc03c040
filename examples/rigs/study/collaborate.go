package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"multitext/examples/rigs/internal/programs"
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

// A plan is how to crawl what: a web of so many pages and that locality, and the script's vars as
// NAME=VALUE.
type plan struct {
	pages    int
	locality float64
	vars     []string
}

// collaborate runs the sixteen crawlers. Of a crawl that fails the folder stays.
func (l *lab) collaborate(p plan) (*crawl, error) {
	dir, err := os.MkdirTemp("", "c4-study-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for a crawl: %w", err)
	}
	x, err := l.collaborateIn(dir, p)
	if err != nil {
		return nil, fmt.Errorf("the crawl in %s: %w", dir, err)
	}
	return x, os.RemoveAll(dir)
}

// collaborateIn does it in a folder, which it leaves as it is.
func (l *lab) collaborateIn(dir string, p plan) (x *crawl, err error) {
	b := &bench{lab: l, folder: dir, settings: []string{"-set", fmt.Sprint("pages=", p.pages), "-set",
		fmt.Sprint("locality=", p.locality)}}
	if err := b.copyExample(); err != nil {
		return nil, err
	}
	if b.address, err = free(); err != nil {
		return nil, err
	}
	began := time.Now()
	args := append([]string{"run", "-web", b.address}, b.settings...)
	for _, v := range p.vars {
		args = append(args, "-var", v)
	}
	if _, err := programs.Output(b.bin, "c4", append(args, dir)...); err != nil {
		return nil, err
	}
	x = &crawl{seconds: time.Since(began).Seconds(), labels: map[string]string{}}
	return x, b.read(x)
}

// arrivedURLs is what the script's gofer does that the simulation cannot follow: who learns when
// that a page has arrived is a matter of pace.
const arrivedURLs = "-arrived {arrived} "

// copyExample copies what a crawl begins with. Its crawlers forget what has arrived.
func (b *bench) copyExample() error {
	for _, name := range []string{"c4.toml", "nodes.toml", "scope.txt", "web.toml"} {
		text, err := os.ReadFile(filepath.Join(b.example, name))
		if err != nil {
			return fmt.Errorf("copy the example: %w", err)
		}
		text = bytes.ReplaceAll(text, []byte(arrivedURLs), nil)
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
