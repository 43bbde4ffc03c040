package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
)

// An old product that is gone is named and stops nothing, start after start, until it is
// dropped; the transaction says what was lost.
func TestLostProductStopsNothing(t *testing.T) {
	g := newGround(t)
	g.done()
	g.remove(groundBatch)
	g.second()
	for range 2 {
		g.wants(g.verb("recover", crawl.ExitDone, "-n"), groundBatch+" is gone")
		g.verb("run", crawl.ExitDone, "-n")
		g.wants(g.run(crawl.ExitFailed), "continues without a file that no stage has yet to read: "+
			groundBatch+" is gone")
	}
	g.holds("b", "two\n")
	g.wants(g.verb("drop", crawl.ExitDone, groundBatch), "lost: "+groundBatch+" is gone; it had 4 bytes, -1 records")
	if said := g.run(crawl.ExitDone); strings.Contains(said, "is gone") {
		t.Errorf("dropped, and it said\n%s", said)
	}
	g.wants(g.verb("verify", crawl.ExitDone), "damaged: 0")
}

// A crawl that has lost a batch to read and a segment does not start until both are dropped. A
// segment that exists is not dropped.
func TestLostFilesAreDropped(t *testing.T) {
	g := newGround(t)
	g.done()
	g.second()
	if said := g.verb("drop", crawl.ExitBad, groundSegment); !strings.Contains(said, "only a lost one can be dropped") {
		t.Errorf("of a segment that is there it said\n%s", said)
	}
	g.remove(secondInput)
	g.remove(groundSegment)
	said := g.run(crawl.ExitDamaged)
	g.wants(said, "2 live files are damaged; nothing was changed")
	g.wants(said, "manager drop")
	g.wants(g.verb("drop", crawl.ExitDamaged, secondInput), groundSegment+" is gone")
	said = g.verb("drop", crawl.ExitDone, secondInput, groundSegment)
	g.wants(said, "lost: "+secondInput+" is gone; it had 4 bytes")
	g.wants(said, "lost: "+groundSegment+" is gone; it had 7 bytes")
	g.run(crawl.ExitDone)
	g.run(crawl.ExitDone) // of the checkpoint
	if s := g.state(); len(s.Files()) != 1 || len(s.Segments("met")) != 0 {
		t.Errorf("the crawl holds %v", s.Files())
	}
}

// A batch that goes while the manager runs is set aside by name, and the others pass.
func TestBatchGoesMeanwhile(t *testing.T) {
	c := newCrawl(t, oneStage+"shell = '''rm -f $(dirname {in})/m-000000000003-*; cat {in} > {b}'''\n", "s1", "one\n",
		"s2", "two\n", "s3", "three\n")
	said := c.run(crawl.ExitFailed)
	c.wants(said, "a/m-000000000003-00001 is gone; restore it from a copy")
	c.holds("b", "one\ntwo\n")
	c.run(crawl.ExitFailed)
	c.write("crawl/a/m-000000000003-00001", "three\n")
	c.verb("retry", crawl.ExitDone)
	c.write("crawl.toml", "flow = 1\ndir = \"crawl\"\n"+oneStage+"run = \"cp {in} {b}\"\n")
	c.run(crawl.ExitDone)
	c.holds("b", "one\ntwo\nthree\n")
}

// verify -every reads all again, and ends when the bytes of a file have changed and its size has
// not, which no start detects; a signal ends it, too.
func TestVerifyEvery(t *testing.T) {
	g := newGround(t)
	g.done()
	often := func(meanwhile func(*os.Process)) (string, int) {
		cmd, _ := g.command("verify", "-every", "20ms")
		said, err := os.Create(g.path("said"))
		if err != nil {
			t.Fatal(err)
		}
		defer said.Close()
		cmd.Stdout = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for text := ""; strings.Count(text, "damaged: 0") < 3; text = g.read("../said") {
			time.Sleep(10 * time.Millisecond)
		}
		meanwhile(cmd.Process)
		cmd.Wait()
		return g.read("../said"), cmd.ProcessState.ExitCode()
	}
	if said, code := often(func(p *os.Process) { p.Signal(syscall.SIGTERM) }); code != crawl.ExitDone {
		t.Errorf("told to stop, it ended with %d and said\n%s", code, said)
	}
	said, code := often(func(*os.Process) {
		g.put("spare", "eno\n")
		g.rename("spare", groundBatch)
	})
	if code != crawl.ExitDamaged || !strings.Contains(said, groundBatch+" is damaged: its hash is") {
		t.Errorf("it ended with %d and said\n%s", code, said)
	}
	g.run(crawl.ExitDone)
}
