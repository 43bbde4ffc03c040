package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A stateRow is a state of a crawl's directory, as the comment of workdir.Recovery names it.
type stateRow struct {
	name  string
	build func(*ground)
	says  string // what recover -n says of it
	code  int    // of the run that follows
	left  string // what queue b holds then; "" stands for "one\n"
}

// legalStates are the states in which a start goes on.
func legalStates() []stateRow {
	return slices.Concat([]stateRow{
		{name: "nothing", build: func(g *ground) {}, says: "the crawl has not begun"},
		{name: "half-born", build: func(g *ground) { g.put(".secret7", "half"); g.put(".log123", "half") },
			says: "the crawl has not begun"},
		{name: "secret-only", build: func(g *ground) { g.put("secret", groundSecret) },
			says: "the crawl has not begun"},
		{name: "no-secret", build: func(g *ground) { g.done().remove("secret") }, says: "nothing to recover"},
		{name: "born", build: func(g *ground) {
			if err := os.Mkdir(g.path("crawl"), 0o700); err != nil {
				g.t.Fatal(err)
			}
			log, err := txlog.Begin(txlog.OS{}, g.path("crawl"), txlog.NewState(requestID), nil)
			if err != nil {
				g.t.Fatal(err)
			}
			log.Close()
		}, says: "nothing to recover"},
		{name: "settled", build: func(g *ground) { g.done() }, says: "nothing to recover"},
		{name: "torn", build: func(g *ground) {
			g.done().rewrite(func(s string) string { return s + "0123456789abcdef commit\ttx=" })
		}, says: "drop the end of the log: 27 bytes"},
		{name: "log-temp", build: func(g *ground) { g.done().put(".log77", "half") }, says: "clear away .log77"},
		{name: "history-temp", build: func(g *ground) {
			g.done().put("history/.script.toml9", "half")
			g.put("history/.log-000001.zst8", "half")
		}, says: "clear away history/.script.toml9"},
		{name: "sealed", build: func(g *ground) { g.done().put("history/log-000001.zst", "half") },
			says: "nothing to recover"},
		{name: "set-aside", build: func(g *ground) {
			g.done().second()
			g.append(&txlog.Abort{Tx: 4, Stage: "work", Why: "exit 1",
				Inputs: []txlog.Input{{Name: secondInput, Records: -1}},
				Marks:  []txlog.Mark{{Name: secondInput, Stage: "work", Fails: 4, Aside: true}}})
		}, says: "nothing to recover", code: crawl.ExitFailed},
		{name: "foreign", build: func(g *ground) {
			g.done().put("b/mine.txt", "")
			g.put("work/mine", "")
		}, says: "nothing to recover"},
	}, runStates(), commitStates(), requestStates())
}

// runStates are those that a run leaves which did not commit.
func runStates() []stateRow {
	return []stateRow{
		{name: "prepared", build: func(g *ground) {
			g.done().put("work/000000000003/b/m-000000000003-00001.txt",
				"half")
		},
			says: "clear away work/000000000003"},
		{name: "running", build: func(g *ground) {
			g.done().second()
			g.runFile(4)
			g.put("work/000000000004/b/m-000000000004-00001.txt", "tw")
		}, says: "its input " + secondInput + " waits again", left: "one\ntwo\n"},
		{name: "ended", build: func(g *ground) {
			g.done().second()
			g.runFile(4)
			g.put("work/000000000004/b/m-000000000004-00001.txt", "two\n")
			g.put("work/000000000004/x/m-000000000004-00001.txt", "two\n")
			g.put("work/000000000004/state/met/m-000000000004-00001.seg", "segment")
			g.put("work/000000000004/report", "in 0\n")
		}, says: "roll back transaction 4 of work", left: "one\ntwo\n"},
		{name: "half-cleared", build: func(g *ground) {
			g.done().second()
			g.append(&txlog.Abort{Tx: 4, Stage: "work", Why: "stopped",
				Inputs: []txlog.Input{{Name: secondInput, Records: -1}}})
			g.runFile(4)
		}, says: "clear away work/000000000004", left: "one\ntwo\n"},
	}
}

// commitStates are those between a commit line and the last of what follows it.
func commitStates() []stateRow {
	return []stateRow{
		{name: "committed", build: func(g *ground) {
			g.done().back(groundBatch, groundExport, groundSegment)
			g.put("work/000000000002/run", `{"stage":"work"}`)
			g.put(groundInput, "one\n")
		}, says: "finish transaction 2: put " + groundBatch + " in its place"},
		{name: "half-placed", build: func(g *ground) { g.done().back(groundSegment) },
			says: "finish transaction 2: put " + groundSegment + " in its place"},
		{name: "placed", build: func(g *ground) { g.done().put(groundInput, "one\n") },
			says: "finish a removal: " + groundInput + " is not live any more"},
		{name: "replaced", build: func(g *ground) {
			const next = "state/met/m-000000000003-00001.seg"
			g.done().put(next, "more")
			g.append(&txlog.Commit{Tx: 3, Stage: "work", Read: -1, State: "met",
				Segments: []txlog.Output{outputOf(next, "more")}, Replaced: []txlog.Name{groundSegment}})
		}, says: "finish a removal: " + groundSegment},
		{name: "exported", build: func(g *ground) { g.done().back(groundExport) },
			says: "finish transaction 2: put " + groundExport + " in its place"},
		{name: "given-away", build: func(g *ground) {
			g.done().append(&txlog.Commit{Tx: 3, Read: -1, Export: "b"})
			g.back(groundBatch)
			g.write("crawl.toml", strings.Replace("flow = 1\ndir = \"crawl\"\n"+groundFlow, "[queue.b]\n",
				"[queue.b]\nexport = true\n", 1))
		}, says: "finish transaction 2: put " + groundBatch + " in its place"},
		{name: "fetched", build: func(g *ground) { g.done().remove(groundExport) }, says: "nothing to recover"},
		{name: "far", build: func(g *ground) {
			g.done().back(groundFar)
			g.remove("x/far")
		}, says: "finish transaction 2: put " + groundFar + " in its place"},
		{name: "far-made", build: func(g *ground) { g.done().back(groundFar) },
			says: "finish transaction 2: put " + groundFar + " in its place"},
		{name: "far-fetched", build: func(g *ground) {
			g.done().remove(groundFar)
			g.remove("x/far")
		}, says: "nothing to recover"},
	}
}

func requestStates() []stateRow {
	ask := func(g *ground, dir string) {
		g.put("inbox/"+dir+"/00001.txt", "two\n")
		g.put("inbox/"+dir+"/request", `{"verb":"add","name":"a","files":["00001.txt"],"hashes":["`+outputOf("",
			"two\n").Hash+`"]}`)
	}
	return []stateRow{
		{name: "dropped", build: func(g *ground) {
			g.done().second()
			g.put("inbox/"+requestID+"/request", `{"verb":"drop","batches":["`+secondInput+`"]}`)
			g.append(&txlog.Commit{Tx: 4, Read: -1, Request: requestID, Gone: []txlog.Name{secondInput}})
		}, says: "finish a removal: " + secondInput + " is not live any more"},
		{name: "asked", build: func(g *ground) { ask(g.done(), requestID) }, says: "nothing to recover",
			left: "one\ntwo\n"},
		{name: "half-asked", build: func(g *ground) { ask(g.done(), "."+requestID) }, says: "clear away inbox/." +
			requestID},
		{name: "answered", build: func(g *ground) {
			ask(g.done(), requestID)
			g.append(&txlog.Commit{Tx: 3, Read: -1, Request: requestID})
		}, says: "finish a removal: request " + requestID + " was answered"},
	}
}

// refusedStates are those in which a start changes nothing.
func refusedStates() []stateRow {
	damaged := func(name, says string, build func(*ground)) stateRow {
		return stateRow{name: name, build: func(g *ground) { build(g.done()) }, says: says, code: crawl.ExitDamaged}
	}
	return []stateRow{
		{name: "held", build: func(g *ground) {
			d := &workdir.Dir{Root: g.done().path("crawl"), Disk: txlog.OS{}}
			if err := d.Lock(); err != nil {
				g.t.Fatal(err)
			}
			g.t.Cleanup(func() { d.Unlock() })
		}, says: "another manager holds", code: crawl.ExitHeld},
		damaged("no-log", "holds files but no transaction log", func(g *ground) { g.remove("log") }),
		damaged("no-end", "crawl/log: ", func(g *ground) {
			g.rewrite(func(s string) string { return s[:strings.Index(s, " end\t")-16] })
		}),
		damaged("no-end", "crawl/log: ", func(g *ground) { g.rewrite(func(string) string { return "" }) }),
		damaged("middle", "crawl/log: ", func(g *ground) {
			g.rewrite(func(s string) string { return strings.Replace(s, "commit", "commjt", 1) })
		}),
		damaged("behind", groundBatch+" has a number that the log never gave out",
			func(g *ground) { // the last line has rotted
				g.rewrite(func(s string) string { return s[:len(s)-9] + "#" + s[len(s)-8:] })
			}),
		damaged("behind", "history/log-000002.zst exists, but the log has generation 1",
			func(g *ground) { // an older one is put back
				old := g.read("log")
				g.second()
				g.append()
				g.put("log", old)
			}),
		damaged("gone", secondInput+" is gone", func(g *ground) {
			g.second()
			g.remove(secondInput)
		}),
		damaged("gone", groundSegment+" is gone", func(g *ground) { g.remove(groundSegment) }),
		damaged("resized", secondInput+" has 5 bytes, the log says 4", func(g *ground) {
			g.second()
			g.put(secondInput, "five\n")
		}),
		damaged("no-file", secondInput+" is no regular file", func(g *ground) {
			g.second()
			g.remove(secondInput)
			g.put(secondInput+"/file", "")
		}),
		{name: "unnamed", build: func(g *ground) {
			g.done().second()
			g.write("crawl.toml", strings.NewReplacer("a = ", "c = ", "queue.a", "queue.c", `"a"`, `"c"`).Replace(
				"flow = 1\ndir = \"crawl\"\n"+groundFlow))
		}, says: "queue a is not in the script any more", code: crawl.ExitBad},
	}
}

// recover -n tells of every state that a crash can leave, and the next start finishes it and leaves
// nothing behind.
func TestLegalStates(t *testing.T) {
	long(t)
	for _, row := range legalStates() {
		t.Run(row.name, func(t *testing.T) {
			g := newGround(t)
			row.build(g)
			g.wants(g.verb("recover", crawl.ExitDone, "-n"), row.says)
			g.run(row.code)
			g.wants(g.verb("recover", crawl.ExitDone, "-n"), "nothing to recover")
			g.wants(g.verb("verify", crawl.ExitDone), "; damaged: 0")
			g.wants(g.verb("log", crawl.ExitDone), "\tcommit\twork\t")
			want := "one\n"
			if row.left != "" {
				want = row.left
			}
			if got := g.content("b"); got != want {
				t.Errorf("queue b holds %q, want %q", got, want)
			}
			g.leftovers(row.name)
		})
	}
}

// A start refuses what no crash leaves, with the exit code that says why, and changes nothing.
func TestRefusedStates(t *testing.T) {
	long(t)
	for _, row := range refusedStates() {
		t.Run(row.name, func(t *testing.T) {
			g := newGround(t)
			row.build(g)
			before := g.everything()
			g.wants(g.run(row.code), row.says)
			if row.code == crawl.ExitDamaged {
				g.wants(g.verb("recover", row.code, "-n"), row.says)
			}
			if after := g.everything(); after != before {
				t.Errorf("it changed\n%s to\n%s", before, after)
			}
		})
	}
}

// The two tables of workdir.Recovery's comment name what is tested, and nothing else.
func TestStatesAreTheTable(t *testing.T) {
	text, err := os.ReadFile("internal/workdir/recover.go")
	if err != nil {
		t.Fatal(err)
	}
	_, found, _ := strings.Cut(string(text), "# What a start may find")
	found, refused, ok := strings.Cut(found, "# What a start refuses")
	if !ok {
		t.Fatal("the comment has no two tables any more")
	}
	for _, table := range []struct {
		text string
		rows []stateRow
	}{{found, legalStates()}, {refused, refusedStates()}} {
		var names, tested []string
		for _, m := range regexp.MustCompile(`(?m)^//\t([a-z-]+)  `).FindAllStringSubmatch(table.text, -1) {
			names = append(names, m[1])
		}
		for _, row := range table.rows {
			tested = append(tested, row.name)
		}
		slices.Sort(names)
		slices.Sort(tested)
		if tested = slices.Compact(tested); len(names) == 0 || !slices.Equal(names, tested) {
			t.Errorf("the comment names %q, tested are %q", names, tested)
		}
	}
}
