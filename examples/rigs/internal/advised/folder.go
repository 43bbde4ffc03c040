package advised

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"multitext/examples/rigs/internal/web"
)

// A Web is pages, named by their index, and the links between them.
type Web struct {
	Links [][]uint32                            // of each page
	Host  func(line []byte, page uint32) []byte // appends the name of a page's host
	Words func(line []byte, page uint32) []byte // appends a path, the words of a page's URL; nil: it has none
}

// Of is a Web that was read as one that advise reads.
func Of(w *web.Web) *Web {
	a := &Web{Host: func(line []byte, page uint32) []byte { return append(line, w.Pages[page].Host...) }}
	for i := range w.Pages {
		var links []uint32
		for _, to := range w.Pages[i].Links {
			links = append(links, uint32(to))
		}
		a.Links = append(a.Links, links)
	}
	return a
}

// URL appends the URL of a page: http://HOST/NUMBER.html, or http://HOST/WORDS?NUMBER.html.
func (w *Web) URL(line []byte, page uint32) []byte {
	line = append(w.Host(append(line, "http://"...), page), '/')
	if w.Words != nil {
		line = append(w.Words(line, page), '?')
	}
	return append(strconv.AppendUint(line, uint64(page), 10), ".html"...)
}

// PageOf is the page of a URL.
func PageOf(url string) (uint32, error) {
	page, err := strconv.ParseUint(strings.TrimSuffix(url[strings.LastIndexAny(url, "/?")+1:], ".html"), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is the URL of no page: %w", url, err)
	}
	return uint32(page), nil
}

// A Folder has the links of a Web, in the form in which extract writes them, and the seeds of some
// draws. Each page has a link to itself, by which advise knows it.
type Folder struct {
	*Web
	program string
	name    string
}

// New writes a folder for the program advise of the folder bin. scores are those of the order score, nil
// if there are none. A draw without seeds has no crawls. Call Close when the crawls are made.
func New(bin string, w *Web, scores []float64, seeds [][]uint32) (*Folder, error) {
	program, err := filepath.Abs(filepath.Join(bin, "advise"))
	if err != nil {
		return nil, fmt.Errorf("find advise: %w", err)
	}
	name, err := os.MkdirTemp("", "advised-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for links: %w", err)
	}
	f := &Folder{w, program, name}
	if err = f.writeLinks(w, scores); err == nil {
		err = f.writeSeeds(seeds)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("write the links of a Web: %w", err)
	}
	return f, nil
}

// Judge writes what pages are worth to a file, by whose name a Trial has it.
func (f *Folder) Judge(file string, worth []float64) error {
	var text []byte
	for page, w := range worth {
		text = append(f.URL(text, uint32(page)), "\tworth="...)
		text = append(strconv.AppendFloat(text, w, 'f', 6, 64), '\n')
	}
	if err := os.WriteFile(f.Path(file), text, 0o666); err != nil {
		return fmt.Errorf("write what pages are worth: %w", err)
	}
	return nil
}

// Share writes which crawler each page belongs to, from 0, to a file, by whose name a Trial has it.
func (f *Folder) Share(file string, owner []int) error {
	var text []byte
	for page, n := range owner {
		text = append(f.URL(text, uint32(page)), "\towner="...)
		text = append(strconv.AppendInt(text, int64(n), 10), '\n')
	}
	if err := os.WriteFile(f.Path(file), text, 0o666); err != nil {
		return fmt.Errorf("write whose pages are: %w", err)
	}
	return nil
}

// List writes the URLs of some pages to a file, by whose name a Trial has it.
func (f *Folder) List(file string, pages []uint32) error {
	var text []byte
	for _, page := range pages {
		text = append(f.URL(text, page), '\n')
	}
	if err := os.WriteFile(f.Path(file), text, 0o666); err != nil {
		return fmt.Errorf("write a list of pages: %w", err)
	}
	return nil
}

// Path is that of a file in the folder.
func (f *Folder) Path(name string) string { return filepath.Join(f.name, name) }

// Close removes the folder.
func (f *Folder) Close() { os.RemoveAll(f.name) }

func (f *Folder) writeLinks(w *Web, scores []float64) error {
	file, err := os.Create(f.Path("links"))
	if err != nil {
		return err
	}
	defer file.Close()
	b, line := bufio.NewWriterSize(file, 1<<20), []byte(nil)
	link := func(from, to uint32) { line = w.URL(append(w.URL(line[:0], to), "\tvia="...), from) }
	for page := range uint32(len(w.Links)) {
		if link(page, page); scores != nil {
			line = strconv.AppendFloat(append(line, "\tscore="...), scores[page], 'f', 6, 64)
		}
		b.Write(append(line, '\n'))
	}
	for from, links := range w.Links {
		for _, to := range links {
			link(uint32(from), to)
			b.Write(append(line, '\n'))
		}
	}
	return b.Flush()
}

func (f *Folder) writeSeeds(seeds [][]uint32) error {
	for draw, pages := range seeds {
		if len(pages) == 0 {
			continue
		}
		if err := f.List(SeedsFile(draw), pages); err != nil {
			return err
		}
	}
	return nil
}

// SeedsFile is the name of the file with the seeds of a draw.
func SeedsFile(draw int) string { return seedsFile + strconv.Itoa(draw) }

const seedsFile = "seeds"
