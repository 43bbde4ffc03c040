package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"multitext/manager/internal/crawl"
)

// What a stage has left and cannot be removed is named and stays. The crawl goes on, and so does
// every later start, which removes what has become removable. A mount is not entered: what is in it
// is not the crawl's.
func TestWhatCannotBeRemovedIsLeft(t *testing.T) {
	long(t)
	for name, tc := range map[string]struct {
		shell string
		undo  func(t *testing.T, path string) // of work/T
		needs string
	}{
		"an immutable file": {"touch $TMPDIR/x $TMPDIR/y; chattr +i $TMPDIR/x",
			func(t *testing.T, path string) { exec.Command("chattr", "-i", path+"/tmp/x").Run() }, "tmp/x"},
		"a mount": {"mkdir $TMPDIR/m; mount --bind precious $TMPDIR/m",
			func(t *testing.T, path string) { syscall.Unmount(path+"/tmp/m", 0) }, "tmp/m"},
		"a directory at run": {
			"run=$(dirname $TMPDIR)/run; rm $run; mkdir -p $run/deep; touch $run/deep/file", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getuid() != 0 && tc.undo != nil {
				t.Skip("only root makes files immutable and mounts")
			}
			c := newCrawl(t, strings.Replace(oneStage, `"s2", "s3"`, `"s2"`, 1)+
				"shell = '''if ! mkdir first 2>/dev/null; then :; else "+tc.shell+"; fi; cat {in} > {b}'''\n", "s1",
				"one\n", "s2", "two\n")
			if err := os.Mkdir(c.path("precious"), 0o777); err != nil {
				t.Fatal(err)
			}
			c.write("precious/file", "precious")
			path := c.path("crawl/work/000000000003")
			if tc.undo != nil {
				t.Cleanup(func() { tc.undo(t, path) })
			}
			said := c.run(crawl.ExitDone)
			if tc.needs != "" {
				if _, err := os.Lstat(filepath.Join(path, tc.needs)); err != nil {
					t.Skipf("the stage could not leave it: %v\n%s", err, said)
				}
				c.wants(said, "it cannot be removed; remove it by hand: ")
				c.wants(said, path+"/"+tc.needs)
				c.wants(c.run(crawl.ExitDone), path+"/"+tc.needs)
				tc.undo(t, path)
				c.run(crawl.ExitDone)
			}
			c.holds("b", "one\ntwo\n")
			if left, err := filepath.Glob(c.path("crawl/work/*")); err != nil || len(left) > 0 {
				t.Errorf("left are %v (%v)", left, err)
			}
			if text, err := os.ReadFile(c.path("precious/file")); err != nil || string(text) != "precious" {
				t.Errorf("the file behind the mount: %q, %v", text, err)
			}
		})
	}
}

// An immutable request is answered once, and stays; so does an immutable batch that is
// consumed.
func TestImmutableRequestAndBatch(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root makes files immutable and mounts")
	}
	c := newCrawl(t, oneStage+"run = \"cp {in} {b}\"\n[stop]\ntime = \"1ms\"\n", "s1", "1\n", "s2", "2\n", "s3", "3\n",
		"add.txt", "4\n")
	c.run(crawl.ExitLimit)
	c.write("crawl.toml", "flow = 1\ndir = \"crawl\"\n"+oneStage+"run = \"cp {in} {b}\"\n")
	request := c.path("crawl/inbox/" + requestID)
	if err := os.Mkdir(request, 0o777); err != nil {
		t.Fatal(err)
	}
	c.write("crawl/inbox/"+requestID+"/00001", "4\n")
	c.write("crawl/inbox/"+requestID+"/request",
		`{"verb":"add","name":"a","files":["00001"],"hashes":["`+outputOf("", "4\n").Hash+`"]}`)
	batch := c.path("crawl/a/m-000000000001-00001")
	for _, file := range []string{request + "/request", batch} {
		if out, err := exec.Command("chattr", "+i", file).CombinedOutput(); err != nil {
			t.Skipf("no file can be made immutable here: %v %s", err, out)
		}
		t.Cleanup(func() { exec.Command("chattr", "-i", file).Run() })
	}
	for range 3 {
		said := c.run(crawl.ExitDone)
		c.wants(said, batch)
		c.wants(said, request+"/request")
	}
	c.holds("b", "1\n2\n3\n4\n")
	exec.Command("chattr", "-i", request+"/request", batch).Run()
	c.run(crawl.ExitDone)
	for _, file := range []string{request, batch} {
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s is still there", file)
		}
	}
}
