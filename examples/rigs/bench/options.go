package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// options is the command line.
type options struct {
	pages, hosts numbers // of the webs, all hosts together
	rounds       int
	builds       []build
	peers        []*crawler
	watch        bool
	tail         bool
	window       bool
	json         bool
	bin          string // of the programs
	dir          string // that the work folder is made in
	script       string // "" is the one built in
	inside       bool   // in namespaces of its own
}

// build is another build of multitext.
type build struct{ name, bin string }

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{pages: numbers{20_000}, hosts: numbers{100}}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&o.pages, "pages", "`N` pages, all hosts together; N,N,… are several webs, "+
		"and a table at the end holds them against the first")
	fs.Var(&o.hosts, "hosts", "`N` hosts; N,N,… go with N,N,… of -pages, or all with one")
	fs.IntVar(&o.rounds, "n", 1, "rounds: in each of them each crawler crawls once")
	fs.Func("vs", "let these crawl, too: `LIST` of "+strings.Join(peerNames(),
		", ")+", commas between; NAME=FOLDER is another build of multitext, its programs in FOLDER", o.addOthers)
	fs.Func("peer", "let one more crawl: `NAME=COMMAND`, words with blanks between, "+
		"run in an empty folder, in which it has to save each page as a file", o.addPeer)
	fs.BoolVar(&o.watch, "watch", true,
		"begin with a round that is not timed, in which memory is watched and fsyncs are counted")
	fs.BoolVar(&o.tail, "tail", false,
		"crawl politely, hosts a thousand times as fast as others, "+
			"and hold it against what politeness allows; takes minutes (default -pages 4000)")
	fs.BoolVar(&o.window, "window", false,
		"let multitext crawl with a page of its window open, too: read by a plain client, and by Chromium if there is one")
	fs.BoolVar(&o.json, "json", false, "print JSON")
	fs.StringVar(&o.bin, "bin", "", "`FOLDER` of the programs (default that of bench)")
	fs.StringVar(&o.dir, "dir", os.TempDir(), "`FOLDER` to work in, on the disk that is meant")
	fs.StringVar(&o.script, "script", "",
		"crawl with the script `FILE` instead, its seeds and scope beside it; it wants the var web")
	fs.BoolVar(&o.inside, "inside", false, "for bench alone: it has started itself again, in namespaces of its own")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printHelp(fs, stderr)
		}
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if o.tail && !given(fs, "pages") {
		o.pages = numbers{4_000}
	}
	return o, o.check()
}

// addPeer reads a -peer.
func (o *options) addPeer(text string) error {
	name, words, _ := strings.Cut(text, "=")
	if !nameable(name) || strings.TrimSpace(words) == "" {
		return errors.New("want NAME=COMMAND")
	}
	o.peers = append(o.peers, peer{name: name, words: words}.crawler())
	return nil
}

// nameable tells whether a crawler may have the name: its folder has it, too.
func nameable(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.Contains(name, "/")
}

// given tells whether the command line has the flag.
func given(fs *flag.FlagSet, name string) (found bool) {
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

func printHelp(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, `bench crawls a web on this machine at full speed, and says what that took.

    bench [flags]
    bench -n 5 -vs wget2,wget-warc
    bench -n 5 -vs old=/tmp/old/bin
    bench -n 5 -pages 20000,200000 -hosts 100,1000 -watch=false

What each figure means and how it is had: go doc multitext/examples/rigs/bench

`)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func (o *options) check() error {
	switch {
	case len(o.pages) > 1 && len(o.hosts) > 1 && len(o.pages) != len(o.hosts):
		return errors.New("-pages and -hosts want lists of one length, or one number")
	case slices.ContainsFunc(o.sizes(), func(s size) bool { return s.pages%s.hosts != 0 }):
		return errors.New("-pages wants a multiple of -hosts")
	case o.rounds < 1:
		return errors.New("-n wants 1 at least")
	case o.tail && (o.builds != nil || o.peers != nil || o.window || o.rounds > 1 || len(o.sizes()) > 1):
		return errors.New("-tail is one crawl of multitext alone; it goes with none of -vs, -n and -window, and with one " +
			"size of web")
	}
	if err := o.findFolders(); err != nil {
		return err
	}
	return o.findFiles()
}

// findFiles says what is missing before anything is crawled, which may take long.
func (o *options) findFiles() error {
	names := []string{"manager", "testweb", "floor"}
	if o.window {
		names = append(names, "window")
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(o.bin, name)); err != nil {
			return fmt.Errorf("find the programs: %w; go build -o bin/ ./... makes them, -bin says where they are", err)
		}
	}
	if o.script != "" {
		if _, err := os.Stat(o.script); err != nil {
			return fmt.Errorf("read the script: %w", err)
		}
	}
	for _, b := range o.builds {
		if _, err := os.Stat(filepath.Join(b.bin, "manager")); err != nil {
			return fmt.Errorf("find the programs of %s: %w", b.name, err)
		}
	}
	return nil
}

// findFolders makes all paths absolute, for crawlers run in folders of their own.
func (o *options) findFolders() error {
	if o.bin == "" {
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("find the programs: %w", err)
		}
		o.bin = filepath.Dir(self)
	}
	for _, path := range []*string{&o.bin, &o.dir, &o.script} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	return nil
}

// addOthers reads the list of -vs.
func (o *options) addOthers(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		if name, bin, ok := strings.Cut(item, "="); ok {
			if !nameable(name) {
				return errors.New("want NAME=FOLDER")
			}
			bin, err := filepath.Abs(bin)
			if err != nil {
				return err
			}
			o.builds = append(o.builds, build{name, bin})
			continue
		}
		p := findPeer(item)
		if p == nil {
			return fmt.Errorf("%q is none of %s, nor NAME=FOLDER", item, strings.Join(peerNames(), ", "))
		}
		o.peers = append(o.peers, p)
	}
	return nil
}
