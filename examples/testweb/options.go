package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// options is the command line.
type options struct {
	listen     []string
	root       string
	statsFile  string
	shape      shape
	faults     faults
	speeds     speeds
	reach      bool
	verbose    bool
	reachSeeds []string
	topical    topicalOptions
}

// topicalOptions are for the web of pages with topics.
type topicalOptions struct {
	file     string
	sets     []string
	links    bool
	train    string // a folder
	perTopic int
}

// parseOptions reads args. Faults in them are returned; the help goes to
// stderr with flag.ErrHelp.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{faults: newFaults()}
	fs := flag.NewFlagSet("testweb", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("listen", "loopback `ADDRESS` to listen on; port 0 takes a free one (default 127.0.0.1:0; repeatable: "+
		"the hosts are dealt over them)", o.addListen)
	fs.IntVar(&o.shape.hosts, "hosts", 20, "number of hosts of the synthetic web")
	fs.IntVar(&o.shape.pages, "pages", 100, "pages of each host")
	fs.Uint64Var(&o.shape.seed, "seed", 1, "another seed is another web")
	fs.BoolVar(&o.shape.plain, "plain", false,
		"leave out of the synthetic web what many crawlers get wrong, so that they can be compared")
	fs.DurationVar(&o.shape.crawlDelay, "crawl-delay", 0, "Crawl-delay in robots.txt of every fifth host")
	fs.StringVar(&o.root, "root", "", "serve the sites in `DIR`, one folder a host, instead of the synthetic web")
	fs.StringVar(&o.statsFile, "stats", "", "keep the counts in `FILE`, from run to run")
	fs.DurationVar(&o.faults.delay, "delay", 0, "wait so long before each answer")
	fs.Func("speeds", "send bodies at `MIN-MAX` bytes a second, each host at a speed of its own", o.speeds.set)
	fs.IntVar(&o.shape.hostile.n, "hostile", 0, "so many of the hosts misbehave, each in a way of its own")
	fs.Func("fault", "hosts misbehave by the fault `NAME` only (repeatable); the package comment lists them",
		o.shape.hostile.choose)
	fs.Func("dead", "`HOST` never answers (repeatable)", o.faults.addDead)
	fs.Func("robots-503", "`HOST=DURATION`: its robots.txt answers 503 so long (repeatable)", o.faults.addRobots503)
	fs.BoolVar(&o.reach, "reach", false, "serve nothing; print what a crawl from the URLs given reaches, by kind")
	fs.BoolVar(&o.verbose, "v", false, "with -reach: list every address with its kind")
	fs.StringVar(&o.topical.file, "topical", "", "serve the web of pages with topics whose parameters are in `FILE`")
	fs.Func("set", "`NAME=VALUE` takes the place of a parameter in that file (repeatable)", func(set string) error {
		o.topical.sets = append(o.topical.sets, set)
		return nil
	})
	fs.BoolVar(&o.topical.links, "links", false,
		"serve nothing; print the pages of the -topical web, with kind, topic and links")
	fs.StringVar(&o.topical.train, "train", "",
		"serve nothing; write the first N pages of each topic to the new folder `DIR`, N being the argument")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printHelp(fs, stderr)
		}
		return nil, err
	}
	if o.listen == nil {
		o.listen = []string{"127.0.0.1:0"}
	}
	if o.shape.hostile.faults == nil {
		o.shape.hostile.faults = faultTable()
	}
	o.reachSeeds = fs.Args()
	if o.topical.train != "" && fs.NArg() == 1 {
		o.topical.perTopic, _ = strconv.Atoi(fs.Arg(0))
		o.reachSeeds = nil
	}
	return o, o.check()
}

func printHelp(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, `testweb serves a web for crawls on a loopback address, and counts what is fetched.

    testweb -listen 127.0.0.1:8480 -hosts 20 -pages 100
    testweb -listen 127.0.0.1:8480 -root DIR
    testweb -reach -v http://h000.test/
    testweb -listen 127.0.0.1:8480 -topical examples/c4/web.toml
    testweb -topical examples/c4/web.toml -links
    testweb -topical examples/c4/web.toml -seed 101 -train DIR 100
    curl http://127.0.0.1:8480/__stats

`)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func (o *options) check() error {
	switch {
	case o.reach && o.root != "":
		return errors.New("-reach is for the synthetic web; count a folder from its files (testdata/reach.py)")
	case o.reach && len(o.reachSeeds) == 0:
		return errors.New("-reach wants the URLs that the crawl starts from, as http://h000.test/")
	case o.shape.hostile.n > 0 && o.root != "":
		return errors.New("-hostile is for the synthetic web")
	case !o.reach && len(o.reachSeeds) > 0:
		return fmt.Errorf("unexpected argument %q", o.reachSeeds[0])
	case o.topical.file == "" && (o.topical.sets != nil || o.topical.links || o.topical.train != ""):
		return errors.New("-set, -links and -train are for the web of -topical")
	case o.topical.file != "" && (o.root != "" || o.reach || o.shape.hostile.n > 0):
		return errors.New("-topical is a web of its own; it goes with neither -root nor -reach nor -hostile")
	case o.topical.train != "" && o.topical.perTopic < 1:
		return errors.New("-train wants the number of pages of each topic, as -train DIR 100")
	case o.faults.delay < 0 || o.shape.crawlDelay < 0:
		return errors.New("a delay is not negative")
	}
	return o.shape.check()
}

func (o *options) addListen(address string) error {
	o.listen = append(o.listen, address)
	return checkLoopback(address)
}

// checkLoopback refuses addresses that other machines could reach.
func checkLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return errors.New("want a loopback address, as 127.0.0.1:8480")
	}
	return nil
}

// faults is what a web does wrong on purpose.
type faults struct {
	delay     time.Duration
	dead      map[string]bool
	robots503 map[string]time.Duration // by host, reckoned from the first start
}

func newFaults() faults {
	return faults{dead: map[string]bool{}, robots503: map[string]time.Duration{}}
}

func (f *faults) addDead(host string) error {
	f.dead[strings.ToLower(host)] = true
	return nil
}

func (f *faults) addRobots503(s string) error {
	host, text, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want HOST=DURATION, as h001.test=1m")
	}
	d, err := time.ParseDuration(text)
	f.robots503[strings.ToLower(host)] = d
	return err
}

// robotsDown tells whether robots.txt of host answers 503 at this age of the web.
func (f *faults) robotsDown(host string, age time.Duration) bool {
	return age < f.robots503[host]
}
