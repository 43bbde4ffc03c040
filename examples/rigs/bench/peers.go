package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
)

// A peer is a crawler of others. Its command saves what it fetches in the folder it runs in,
// follows links through the hosts of .test, obeys robots.txt, waits for nothing and tries nothing
// twice. One more is one more line; -peer tries it out.
type peer struct {
	name     string
	archives bool
	words    string
}

// peers are those whose options have been tried on the web of bench.
func peers() []peer {
	const wget = "wget -q -r -l inf -H -D test -e robots=on -t 1 -T 30 "
	return []peer{
		{"wget2", false, "wget2 -q -r -l inf -H -D test --robots=on --tries=1 --timeout=30 --max-threads=8 --no-http2 " + seed},
		{"wget", false, wget + seed},
		{"wget-warc", true, wget + "--delete-after --warc-file=archive " + seed},
		{"httrack", false, "httrack " + seed +
			" -O . +*.test/* -r9999 -c8 -A0 -%c0 --disable-security-limits -s2 -T30 -R0 -q -I0"},
		{"scrapy", false, "scrapy runspider --nolog " + spiderFile},
	}
}

func peerNames() (names []string) {
	for _, p := range peers() {
		names = append(names, p.name)
	}
	return names
}

// findPeer returns the peer of a name, or nil.
func findPeer(name string) *crawler {
	for _, p := range peers() {
		if p.name == name {
			return p.crawler()
		}
	}
	return nil
}

func (p peer) crawler() *crawler {
	words := strings.Fields(p.words)
	c := &crawler{name: p.name, archives: p.archives, command: func(string, string) []string { return words }}
	if p.name == "scrapy" {
		c.before = func(dir string) error { return os.WriteFile(filepath.Join(dir, spiderFile), spider, 0o666) }
	}
	return c
}

// spider is what scrapy crawls by.
//
//go:embed spider.py
var spider []byte

const spiderFile = "spider.py"

// floor is the least program.
func floor(bin string) *crawler {
	return &crawler{name: "floor", archives: true, command: func(dir, web string) []string {
		return []string{filepath.Join(bin, "floor"), "-web", web, "-out", filepath.Join(dir, "archive.warc.gz"), seed}
	}}
}
