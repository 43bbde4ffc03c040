package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/txlog/crash"
)

// counting is the crawl of a sender that tells others how many links lead to their URLs: by two
// stages, the second of which sums up what several runs of the first have found.
const counting = `
flow  = 1
dir   = "arts"
seeds = { found = [FOUND] }
[queue.outgoing]
export = true
[stage.links]
in    = "found"
out   = ["mine", "later"]
run   = """
  classify links -nodes nodes.toml -node arts -by url -others later -sum -mine {mine} -later {later}
    -report {report} {in}"""
[stage.later]
in    = "later"
out   = ["mine", "outgoing"]
take  = 3
min   = 2
run   = """
  classify links -nodes nodes.toml -node arts -by url -sum -mine {mine} -outgoing {outgoing}
    -report {report} {in}"""
`

// knowing is what the receiver adds to its gofer: the filter that passes on what it has seen.
const knowing = `
[stage.filter]
in    = "incoming_links"
out   = ["fresh", "known"]
state = "seen"
take  = 4
wait  = "10ms"
retry = 1000
run   = "filter -seen {seen} -new {seen.new} -fresh {fresh} -known {known} -report {report} {in}"
`

// Each link counts once at the owner of its URL, though both managers and the gofer are killed.
func TestHandoversSums(t *testing.T) {
	interruptAll(t, *handovers, newLine(t, folders()).killSums)
}

// It would be seen if a batch counted twice.
func TestHandoversSumsSeeDefects(t *testing.T) {
	for _, defect := range []string{"ledger-ignored", "ledger-outside"} {
		t.Run(defect, func(t *testing.T) { seeDefect(t, newLine(t, folders(), defect).killSums) })
	}
}

// killSums makes a chain: links are found, summed up, sent and counted, and everything is killed.
func (l *line) killSums(t *testing.T, seed uint64) (fired int, err error) {
	c, err := l.newChain(t, seed)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.dir)
	links, err := c.find()
	if err != nil {
		return 0, err
	}
	for _, at := range []int{1 + int(seed*37%150), 1 + c.rnd.IntN(90), 0} {
		killed, err := c.manage("arts.toml", nil, crash.KillAt+"="+strconv.Itoa(at))
		if n := c.kills(); killed {
			fired += n
		}
		if err == nil {
			n := 0
			if c.rnd.IntN(3) > 0 {
				n, err = c.killGofer(1+c.rnd.IntN(20), 1+c.rnd.IntN(12)) // a run that brings a batch has some 20 steps
			} else {
				n, err = c.killManager(1+c.rnd.IntN(60), 1+c.rnd.IntN(60))
			}
			fired += n
		}
		if err != nil {
			return fired, fmt.Errorf("killed at %q: %w", c.told, err)
		}
	}
	if _, err := c.crawl(); err != nil {
		return fired, fmt.Errorf("killed at %q: %w", c.told, err)
	}
	if err := c.counted(links); err != nil {
		return fired, fmt.Errorf("killed at %q: %w", c.told, err)
	}
	return fired, nil
}

// find writes both scripts, and batches of links to few URLs. It returns how many lead to each.
func (c *chain) find() (links map[string]int64, err error) {
	links = map[string]int64{}
	var found []string
	for i := range 6 {
		var lines strings.Builder
		for range 20 {
			url := fmt.Sprint("http://a.test/", c.rnd.IntN(12))
			links[url]++
			fmt.Fprintf(&lines, "%s\tvia=http://b.test/%d\n", url, c.rnd.IntN(1000))
		}
		name := fmt.Sprint("found-", i, ".txt")
		found = append(found, strconv.Quote(name))
		err = errors.Join(err, os.WriteFile(filepath.Join(c.dir, name), []byte(lines.String()), 0o666))
	}
	for name, text := range map[string]string{
		"arts.toml":  strings.Replace(counting, "FOUND", strings.Join(found, ", "), 1),
		"world.toml": strings.Replace(world+knowing, "ARGS", c.here(c.args), 1),
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666))
	}
	return links, err
}

// counted wants each link once: with arts, on its way to law, or counted by world, whose frontier
// gets one record of each URL as fresh and the others as known.
func (c *chain) counted(want map[string]int64) error {
	got, here := map[string]int64{}, c.contents("crawl/fresh/*", "crawl/known/*")[urls]
	fresh := map[string]int{}
	for _, line := range append(here, c.contents("arts/mine/*", "arts/outgoing/law/*")[urls]...) {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			return err
		}
		got[rec.URL()] += rec.Times()
	}
	for _, line := range c.contents("crawl/fresh/*")[urls] {
		url, _, _ := strings.Cut(line, "\t")
		fresh[url]++
	}
	left, err := c.held(c.dir, "arts")
	if err == nil && (len(here) <= len(fresh) || len(fresh) == 0) {
		err = fmt.Errorf("%d records of %d URLs came to world: this proves nothing", len(here), len(fresh))
	}
	for url, n := range fresh {
		if n != 1 {
			err = errors.Join(err, fmt.Errorf("%s is fresh %d times", url, n))
		}
	}
	if !maps.Equal(got, want) {
		err = errors.Join(err, fmt.Errorf("links: %v, want\n%v", got, want))
	}
	return errors.Join(err, same("at arts", left, nil))
}
