package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// all is the script of each of three crawlers that find links of each other's. Each brings one
// batch from each peer at a time, and no more while one waits.
const all = `
flow  = 1
dir   = "{node}"
seeds = { found = ["{node}-0.txt", "{node}-1.txt", "{node}-2.txt"] }
[vars]
node = ""
[queue.outgoing]
export = true
[queue.incoming_links]
full = 1
[queue.mine]
full = 1
[stage.links]
in    = "found"
out   = ["mine", "outgoing"]
state = "sent"
run   = """
  classify links -nodes nodes.toml -node {node} -by url -sent {sent} -new {sent.new}
    -mine {mine} -outgoing {outgoing} -report {report} {in}"""
[stage.gofer]
every = "10ms"
out   = "incoming_links"
state = "ledger"
run   = """
  gofer pull -most 1B -nodes nodes.toml -node {node} -ledger {ledger} -new {ledger.new}
    -urls {incoming_links} -report {report}"""
[stage.work]
in  = ["mine", "incoming_links"]
out = "crawled"
run = "cp {in} {crawled}"
`

// Crawlers all of which are full all the time do not wait for each other: everything gets to its
// owner.
func TestFullEverywhere(t *testing.T) {
	l := newLine(t, folders())
	c, err := l.newChain(t, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(c.dir)
	names := []string{"arts", "law", "world"}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("all.toml", all)
	for _, name := range names {
		for file := range 3 {
			var text strings.Builder
			for i := range 20 {
				url := fmt.Sprintf("http://%s.test/%d/%d", name, file, i)
				c.urls = append(c.urls, url)
				text.WriteString(url + "\n")
			}
			write(fmt.Sprintf("%s-%d.txt", name, file), text.String())
		}
	}
	for range 20 { // a manager that has nothing to do ends, and is started again
		var managers sync.WaitGroup
		for _, name := range names {
			managers.Go(func() {
				if _, err := c.manage("all.toml", []string{"-var", "node=" + name}); err != nil {
					t.Error(err)
				}
			})
		}
		managers.Wait()
		if left, _ := filepath.Glob(filepath.Join(c.dir, "*/outgoing/*/*")); len(left) == 0 || t.Failed() {
			break
		}
	}
	if err := same("URLs", c.contents("*/crawled/*")[urls], c.urls); err != nil {
		t.Error(err)
	}
}
