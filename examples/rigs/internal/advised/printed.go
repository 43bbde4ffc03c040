package advised

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A printed is what advise -fetched prints, a line for each page, parted into crawls.
type printed struct {
	columns       []string // of a line: order, URL, and where there are any crawler and seeds
	shared, named bool     // there are crawlers, seeds
	only          int      // the draw where seeds are not named, for there is one file alone
	do            func(draw int, order string, c *Crawl)

	of    string // order and seeds of the crawl that is read; "": none is
	draw  int
	order string
	crawl Crawl
}

// eachCrawl reads what advise prints, and calls do with each crawl.
func eachCrawl(out io.Reader, only int, do func(draw int, order string, c *Crawl)) error {
	lines, p := bufio.NewScanner(out), &printed{only: only, do: do}
	if lines.Scan() {
		p.columns = strings.Split(lines.Text(), "\t")
		p.shared, p.named = slices.Contains(p.columns, "crawler"), slices.Contains(p.columns, "seeds")
	}
	for lines.Scan() {
		if err := p.take(lines.Text()); err != nil {
			return fmt.Errorf("it printed the line %q: %w", lines.Text(), err)
		}
	}
	p.end()
	return lines.Err()
}

// take takes in a line: a page, or what was sent in the crawl before it.
func (p *printed) take(line string) error {
	if counts, ok := strings.CutPrefix(line, "# "); ok {
		return json.Unmarshal([]byte(counts), &p.crawl.Sent)
	}
	fields, seeds := strings.Split(line, "\t"), ""
	if len(fields) != len(p.columns) {
		return fmt.Errorf("want the columns %q", p.columns)
	}
	if p.named {
		seeds = fields[len(fields)-1]
	}
	if err := p.begin(fields[0], seeds); err != nil {
		return err
	}
	page, err := PageOf(fields[1])
	if err != nil {
		return err
	}
	p.crawl.Pages = append(p.crawl.Pages, page)
	if p.shared {
		by, err := strconv.ParseUint(fields[2], 10, 16)
		p.crawl.By = append(p.crawl.By, uint16(by))
		return err
	}
	return nil
}

// begin begins a crawl, if this is another than that of the line before.
func (p *printed) begin(order, seeds string) (err error) {
	now := order + "\t" + seeds
	if now == p.of {
		return nil
	}
	p.end()
	p.of, p.order, p.draw = now, order, p.only
	if p.named {
		p.draw, err = strconv.Atoi(strings.TrimPrefix(seeds, seedsFile))
	}
	return err
}

// end ends the crawl that is read.
func (p *printed) end() {
	if p.of != "" {
		p.do(p.draw, p.order, &p.crawl)
	}
	p.crawl = Crawl{Pages: p.crawl.Pages[:0], By: p.crawl.By[:0]}
}
