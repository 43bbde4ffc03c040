package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// arts is the crawl of a sender, whose links and pages belong to all three nodes by their hashes.
const arts = `
flow  = 1
dir   = "arts"
seeds = { found = "found.txt", fetched = "fetched.warc.gz" }
[queue.own]
ext = "warc.gz"
[queue.outgoing]
export = true
[stage.links]
in    = "found"
out   = ["mine", "outgoing"]
state = "sent"
run   = """
  classify links -nodes nodes.toml -node arts -by url -sent {sent} -new {sent.new}
    -mine {mine} -outgoing {outgoing} -report {report} {in}"""
[stage.pages]
in    = "fetched"
out   = ["own", "outgoing"]
run   = "classify pages -nodes nodes.toml -node arts -by content -mine {own} -outgoing {outgoing} -report {report} {in}"
`

// A sender that is killed before any change that its manager makes, between commit and the placing
// of a batch in outgoing too, hands over each record once: while it is down, what lies there is
// whole and committed.
func TestHandoversSenderKilled(t *testing.T) {
	interruptAll(t, *handovers, newLine(t, folders()).killSender)
}

func (l *line) killSender(t *testing.T, seed uint64) (fired int, err error) {
	c, err := l.newChain(t, seed)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.dir)
	for i := range 30 {
		url := fmt.Sprintf("http://a.test/%d", i)
		c.pages, c.urls = append(c.pages, url), append(c.urls, url)
	}
	for name, content := range map[string][]byte{
		"arts.toml": []byte(arts), "found.txt": []byte(strings.Join(c.urls, "\n") +
			"\n"), "fetched.warc.gz": pageBatch(c, c.pages...),
	} {
		if err := os.WriteFile(filepath.Join(c.dir, name), content, 0o666); err != nil {
			return 0, err
		}
	}
	// The manager makes some 130 changes. Behind each kill world has a look at what lies there.
	for _, at := range []int{1 + int(seed*37%130), 1 + c.rnd.IntN(60), 0} {
		killed, err := c.manage("arts.toml", nil, crash.KillAt+"="+strconv.Itoa(at))
		if n := c.kills(); killed {
			fired += n
		}
		if err == nil {
			_, err = c.crawl()
		}
		if err != nil {
			return fired, fmt.Errorf("killed at %q: %w", c.told, err)
		}
	}
	if err := c.handedOver(); err != nil {
		return fired, fmt.Errorf("killed at %q: %w", c.told, err)
	}
	return fired, nil
}

// handedOver wants every record once: with arts, on its way to law, or with world, to which nothing
// is on its way.
func (c *chain) handedOver() error {
	got := c.contents("arts/mine/*", "arts/own/*", "arts/outgoing/law/*", "crawl/incoming*/*")
	left, err := c.held(c.dir, "arts")
	some := c.contents("crawl/incoming*/*")
	if len(some[pages]) == 0 || len(some[urls]) == 0 {
		err = errors.New("nothing came to world: this proves nothing")
	}
	return errors.Join(err, same("pages", got[pages], c.pages), same("URLs", got[urls], c.urls),
		same("at arts", left, nil))
}
