package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"multitext/examples/internal/measures"
)

// measureOptions is the command line of c4 measure.
type measureOptions struct {
	universe, wanted string // files of URLs; "": none
	asJSON           bool
	crawls           []string // a folder for each crawler
	bin              string   // of the programs
}

func parseMeasureOptions(args []string, stderr io.Writer) (*measureOptions, error) {
	o := &measureOptions{}
	fs := flag.NewFlagSet("c4 measure", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.universe, "universe", "", "print the coverage of the URLs in `FILE`, all that there are to fetch")
	fs.StringVar(&o.wanted, "wanted", "",
		"print the quality: the part of the URLs in `FILE` that was fetched, such as the N most linked pages")
	fs.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printMeasureHelp(fs, stderr)
		}
		return nil, err
	}
	const all = "examples/c4/crawl/*"
	if o.crawls = fs.Args(); len(o.crawls) == 0 {
		o.crawls, _ = filepath.Glob(all)
	}
	if twice := repeated(o.crawls); twice != "" {
		return nil, fmt.Errorf("the folder %s is there twice", twice)
	}
	if len(o.crawls) == 0 {
		return nil, fmt.Errorf("no folder %s: want c4 measure DIR…, a folder for each crawler", all)
	}
	var err error
	o.bin, err = ownFolder()
	return o, err
}

// repeated returns a folder that is named twice, or "".
func repeated(dirs []string) string {
	met := map[string]bool{}
	for _, dir := range dirs {
		if dir = filepath.Clean(dir); met[dir] {
			return dir
		}
		met[dir] = true
	}
	return ""
}

func printMeasureHelp(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, `c4 measure prints what several crawlers have fetched and sent: overlap, coverage, quality,
communication overhead and load (Cho and Garcia-Molina, "Parallel crawlers", 2002, section 4).

    c4 measure [flags] [DIR...]  DIR is the folder of a crawler, FOLDER/crawl/NODE, with its script
                                 FOLDER/c4.toml (default examples/c4/crawl/*)

Pages are the answers in the archives and on the way there, whatever their status. A page that two
crawlers have fetched is there twice, also if both have sent it to a third. The other figures are
counters of the stages; a page that was sent counts for the crawler that fetched it. Stop the
crawlers before: a page that one sends to another at this moment may not count, and a note says so.

A FILE has a URL a line in the form in which the archives have it, and may have more behind a tab.
All URLs are held in memory, about 200 bytes for each.

`)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// measure does all of it.
func (o *measureOptions) measure(ctx context.Context, stdout, stderr io.Writer) error {
	f, fetches := newFigures(), measures.Fetches[string]{}
	for _, dir := range o.crawls {
		c := crawlFolder{bin: o.bin, dir: dir}
		one, err := c.figures(ctx)
		if err == nil {
			one.Archived, err = c.archived(ctx, fetches)
		}
		if err != nil {
			return fmt.Errorf("measure %s: %w", dir, err)
		}
		f.Crawlers = append(f.Crawlers, one)
	}
	f.sum(fetches)
	var err error
	if f.Coverage, err = shareOf(fetches, o.universe); err != nil {
		return err
	}
	if f.Quality, err = shareOf(fetches, o.wanted); err != nil {
		return err
	}
	if fetched := f.fetched(); fetched != int64(f.Pages) {
		fmt.Fprintf(stderr, "c4: %d pages were fetched and %d are in the folders: a crawler is running, pages are "+
			"on their way to another, or the folder of a crawler is missing\n", fetched, f.Pages)
	}
	if o.asJSON {
		return json.NewEncoder(stdout).Encode(f)
	}
	return f.print(stdout)
}

// shareOf is the part of the URLs in a file that was fetched, nil without a file.
func shareOf(fetches measures.Fetches[string], file string) (*float64, error) {
	if file == "" {
		return nil, nil
	}
	urls, err := readURLs(file)
	if err != nil {
		return nil, fmt.Errorf("read URLs: %w", err)
	}
	share := fetches.Share(urls)
	return &share, nil
}

// readURLs reads what stands before the first tab of each line.
func readURLs(file string) (urls []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		url, _, _ := strings.Cut(lines.Text(), "\t")
		if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
			return nil, fmt.Errorf("%s:%d: want a URL, not %.60q", file, n, url)
		}
		urls = append(urls, url)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(urls) == 0 {
		return nil, fmt.Errorf("%s has no URL", file)
	}
	return urls, nil
}
