package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// options is the command line.
type options struct {
	folder string        // of the example, absolute
	bin    string        // of the programs
	web    string        // address
	serve  bool          // the web is ours to start
	seed   string        // of the web
	looks  time.Duration // between two looks of a gofer at what others hold
	vars   []string      // NAME=VALUE for every manager
	sets   []string      // NAME=VALUE for the web
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("c4 run", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.web, "web", "127.0.0.1:8481", "`ADDRESS` at which the web answers")
	fs.BoolVar(&o.serve, "serve", true, "start the web; -serve=false: it is there already")
	fs.StringVar(&o.seed, "seed", "1", "`SEED` of the web")
	fs.DurationVar(&o.looks, "looks", 5*time.Second,
		"let each gofer look so often what others hold for it; a manager is started no sooner again")
	fs.Func("set", "`NAME=VALUE` takes the place of a parameter in web.toml, as locality=0.2 (repeatable)",
		list(&o.sets))
	fs.Func("var", "`NAME=VALUE` takes the place of a var in c4.toml, as pages_by=content (repeatable)", list(&o.vars))
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printHelp(fs, stderr)
		}
		return nil, err
	}
	switch {
	case fs.NArg() > 1:
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(1))
	case o.looks < time.Millisecond:
		return nil, errors.New("-looks must be 1ms at least")
	}
	return o, o.findPlaces(fs.Arg(0))
}

func list(all *[]string) func(string) error {
	return func(s string) error {
		*all = append(*all, s)
		return nil
	}
}

func printHelp(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, `c4 run crawls a small web with the crawlers of nodes.toml until all are quiet.

    c4 run [flags] [FOLDER]      FOLDER holds c4.toml, nodes.toml and web.toml (default examples/c4)

`)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// findPlaces finds the example's folder and the programs, which lie beside this one.
func (o *options) findPlaces(folder string) (err error) {
	if folder == "" {
		folder = "examples/c4"
	}
	if o.folder, err = filepath.Abs(folder); err != nil {
		return fmt.Errorf("find %s: %w", folder, err)
	}
	if _, err := os.Stat(o.path("c4.toml")); err != nil {
		return fmt.Errorf("no script in %s: %w", folder, err)
	}
	o.bin, err = ownFolder()
	return err
}

// ownFolder is where this program lies, and the others beside it.
func ownFolder() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the programs: %w", err)
	}
	return filepath.Dir(self), nil
}

// path is a place in the example's folder.
func (o *options) path(parts ...string) string {
	return filepath.Join(append([]string{o.folder}, parts...)...)
}
