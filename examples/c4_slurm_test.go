package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The array of several machines on a real Slurm: its tasks outlive the end of their time and a
// machine that breaks down, hold no machine while they have nothing to do, and come to what c4 run
// comes to.
func TestC4Slurm(t *testing.T) {
	t.Parallel()
	shared := newSlurmBench(t, 120, `delay      = "20ms"`, `delay      = "600ms"`)
	own := newSlurmBench(t, 60, `pages_by   = "topic"`, `pages_by   = "none"`, `delay      = "20ms"`,
		`delay      = "600ms"`)
	s := startSlurm(t, own.path("crawl"))
	shared.submit(s, []string{"PAUSE=5"}, "--array=0-2", "--time=1", "--signal=B:USR1@50") // the longest
	own.submit(s, []string{"PAUSE=1", "QUIET=2 seconds"}, "--array=0-1", "--partition=disks")
	slurmDisks(s, own)
	slurmStage(t, s)
	slurmShared(s, shared)
}

// newSlurmBench is a checkout with the programs built and the model trained: as little is in it as
// README.md says.
func newSlurmBench(t *testing.T, pages int, changes ...string) *c4Bench {
	t.Helper()
	changes = append(append(changes, c4Forgets()...), "127.0.0.1:8481", "WEB", "-for 5m", "-for 5s")
	b := newC4Bench(t, pages, changes...)
	b.few(c4Folders)
	pagesDir := filepath.Join(t.TempDir(), "pages")
	b.output(filepath.Join(b.bin, "testweb"), "-topical", b.path("web.toml"), "-seed", "101", "-train", pagesDir, "100")
	b.output(filepath.Join(b.bin, "classify"), "train", "-model", b.path("topics.model"), pagesDir)
	if err := os.Symlink(b.bin, b.path("bin")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(b.path("slurm"), 0o777); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("c4/slurm/array.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	b.write("slurm/array.sbatch", string(text))
	return b
}

// submit submits the array, with as many tasks as there are nodes.
func (b *c4Bench) submit(s *slurm, env []string, args ...string) {
	b.t.Helper()
	cmd := s.command("sbatch", append(args, "--mem=200M", "slurm/array.sbatch")...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("sbatch: %v: %s", err, out)
	}
	b.t.Cleanup(func() {
		if b.t.Failed() {
			left, _ := filepath.Glob(b.path("crawl/*/outgoing/*/*.*"))
			b.t.Logf("outgoing: %v", left)
			for line := range strings.Lines(b.said()) {
				if strings.Contains(line, " on ") || strings.Contains(line, "error") {
					b.t.Log(strings.TrimSpace(line))
				}
			}
		}
	})
}

// said is what the tasks have said.
func (b *c4Bench) said() string {
	files, _ := filepath.Glob(b.path("*-?.txt"))
	var all strings.Builder
	for _, file := range files {
		text, _ := os.ReadFile(file)
		all.WriteString("== " + filepath.Base(file) + "\n" + string(text))
	}
	return all.String()
}

// On one file system: at the end of its time a task goes on in the next, and while there is nothing
// to do no machine is held.
func slurmShared(s *slurm, b *c4Bench) {
	const over, quiet = "its time is over", "nothing to do"
	s.until("the time of a task is over", func() bool { return strings.Contains(b.said(), over) })
	s.until("nothing waits, and no machine is held", func() bool {
		waiting, _ := filepath.Glob(b.path("crawl/*/outgoing/*/*.*"))
		return len(waiting) == 0 && strings.Contains(b.said(), quiet) &&
			s.ask("squeue", "-h", "-p", "shared", "-t", "R,CG") == "" &&
			b.allQuiet(quiet)
	})
	s.ask("scancel", "-p", "shared")
	all := b.archives()
	of := b.owners(all)
	b.cameTo(b.simulate(rule{fetches: finder, keeps: byLabel(of), follows: byLabel(of)}), all)
	if sent := b.lawful(); sent < 20 {
		b.t.Errorf("%d pages were sent", sent)
	}
}

// allQuiet tells whether the last that each task said of itself is that.
func (b *c4Bench) allQuiet(quiet string) bool {
	for i := range b.nodes {
		text, _ := os.ReadFile(b.path("c4-" + string(rune('0'+i)) + ".txt"))
		at := strings.LastIndex(string(text), b.nodes[i]+" on ")
		if at < 0 || !strings.Contains(string(text[at:]), quiet) {
			return false
		}
	}
	return true
}

// On disks that each machine has for itself: when the machine of a crawl breaks down its task waits
// for it, and begins no other crawl; when nothing has arrived for long enough the job is over.
func slurmDisks(s *slurm, b *c4Bench) {
	b.nodes = b.nodes[:2]
	s.until("arts has read pages", func() bool {
		said, _ := os.ReadFile(b.path("c4-0.txt"))
		return strings.Contains(string(said), " extract ")
	})
	home := strings.TrimSpace(b.read("machines/arts"))
	s.breakDown(home)
	s.until("the task waits for its machine",
		func() bool { return strings.Contains(b.said(), "its crawl is on "+home) })
	s.boot(home)
	s.ask("scontrol", "update", "NodeName="+home, "State=RESUME")
	s.until("the job is over", func() bool { return s.ask("squeue", "-h", "-p", "disks") == "" })
	if n := strings.Count(b.said(), "it is over"); n != 2 {
		b.t.Errorf("%d of 2 tasks say that their crawl is over", n)
	}
	for _, node := range b.nodes {
		disks, _ := filepath.Glob(s.disk("?[01]") + "/" + node)
		if len(disks) != 1 {
			b.t.Fatalf("the crawl of %s is on %v", node, disks)
		}
		if err := os.Rename(disks[0], b.path("crawl/"+node)); err != nil {
			b.t.Fatal(err)
		}
	}
	b.cameTo(b.simulate(rule{fetches: finder, keeps: finder, follows: finder}), b.archives())
}

const slurmScript = `flow = 1
dir = "crawl"
seeds = { found = "seeds.txt" }
[stage.count]
in  = "found"
out = "done"
wait = "100ms"
env = "SLURM_CONF"
run = ["srun", "--quiet", "--ntasks=1", "--partition=stages", "bash", "count.sh", "{report}"]
[queue.done]
ext = "txt"
keep = true
`

// The first run writes half of its output and stays; the next says what it has read, and where it
// was. That it has come to its end is seen by its report: srun ends with 0 when its machine is
// lost.
const slurmCount = `read -r in <<< "$MT_IN"
[ -e began ] || { echo half > "$MT_OUT_done"; echo "$SLURMD_NODENAME" > began; sleep 600; }
{ echo "$SLURMD_NODENAME"; wc -c < "$in"; } > "$MT_OUT_done"
echo count runs 1 > "$1"
`

// A stage behind srun runs on another machine than its manager. When that breaks down the run is
// rolled back and made again on the next.
func slurmStage(t *testing.T, s *slurm) {
	b := &bench{t: t, bin: programs(t), dir: t.TempDir(), script: "count.toml"}
	b.write("seeds.txt", "http://a.test/\n")
	b.write(b.script, slurmScript)
	b.write("count.sh", slurmCount)
	cmd, said := b.manager("run")
	cmd.Env = append(os.Environ(), "SLURM_CONF="+s.path("slurm.conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	began := ""
	s.until("the stage runs", func() bool {
		text, _ := os.ReadFile(b.path("began"))
		began = strings.TrimSpace(string(text))
		return began != ""
	})
	s.breakDown(began)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v; it said\n%s", err, said)
	}
	s.boot(began)
	files, _ := filepath.Glob(b.path("crawl/done/*"))
	if len(files) != 1 {
		t.Fatalf("done holds %v; it said\n%s", files, said)
	}
	text, _ := os.ReadFile(files[0])
	if words := strings.Fields(string(text)); len(words) != 2 || words[0] == began || words[1] == "0" {
		t.Errorf("the stage, begun on %s, wrote %q", began, text)
	}
}
