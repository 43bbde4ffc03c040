package main

import (
	"path/filepath"
	"strings"
)

// A peer is a crawler of others. Its command saves what it fetches in the folder it runs in, follows
// links through the hosts of .test, obeys robots.txt, waits for nothing and tries nothing twice.
type peer struct {
	name  string
	words string
}

// peers are those whose options have been tried on the web of bench.
func peers() []peer {
	const wget = " -q -r -l inf -H -D test -e robots=on -t 1 -T 30 --no-verbose "
	return []peer{
		{"wget2", "wget2 -q -r -l inf -H -D test --robots=on --tries=1 --timeout=30 --max-threads=8 --no-http2 " + seed},
		{"wget", "wget" + wget + seed},
		{"wget-warc", "wget" + wget + "--delete-after --warc-file=archive " + seed},
		{"httrack", "httrack " + seed + " -O . +*.test/* -r9999 -c8 -A0 -%c0 --disable-security-limits -s2 -T30 -R0 -q -I0"},
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
			words := strings.Fields(p.words)
			return &crawler{name: p.name, command: func(string, string) []string { return words }}
		}
	}
	return nil
}

// floor is the least program.
func floor(bin string) *crawler {
	return &crawler{name: "floor", command: func(dir, web string) []string {
		return []string{filepath.Join(bin, "floor"), "-web", web, "-out", filepath.Join(dir, "archive.warc.gz"), seed}
	}}
}
