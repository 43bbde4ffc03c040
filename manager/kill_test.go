package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"multitext/txlog"
	"multitext/txlog/crash"
)

var chains = flag.Int("chains", 40, "chains of four kills that TestKilledAtAnyInstant runs")

// A rig runs a small cyclic crawl of numbers: an odd n leads to n/2. It has a
// state with merges, fan-out, two readers of one queue, a kept queue, a full one
// and an exported one.
type rig struct{ bin string }

// newRig builds the manager, able to be killed and with the given defects.
func newRig(t *testing.T, defects ...crash.Change) *rig {
	t.Helper()
	r := &rig{bin: t.TempDir()}
	crash.Build(t, r.bin, []string{"./manager", "./manager/testdata/toy"}, append(crash.Killable(), defects...)...)
	return r
}

var seeds = map[string][]int{"a.txt": {1, 3, 5, 7, 9, 11, 33, 77}, "b.txt": {20, 23, 26, 29, 33}, "c.txt": {500, 501, 5}}

// folder makes a fresh folder with the script and its seeds, in memory if the
// machine can: a kill leaves the page cache alone, so nothing is lost by it.
func (r *rig) folder(t *testing.T) string {
	t.Helper()
	parent := t.TempDir()
	if dir, err := os.MkdirTemp("/dev/shm", "multitext-kill-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		parent = dir
	}
	if err := os.CopyFS(parent, os.DirFS("testdata/kill")); err != nil {
		t.Fatal(err)
	}
	for file, numbers := range seeds {
		text := ""
		for _, n := range numbers {
			text += fmt.Sprintln(n)
		}
		if err := os.WriteFile(filepath.Join(parent, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return parent
}

// run runs the manager, killed before the at-th change (0: never). fired tells
// whether the kill happened.
func (r *rig) run(folder string, at int) (fired bool, where string, err error) {
	mark := filepath.Join(folder, "killed")
	os.Remove(mark)
	stderr, err := os.Create(filepath.Join(folder, "stderr"))
	if err != nil {
		return false, "", err
	}
	defer stderr.Close()
	cmd := exec.Command(filepath.Join(r.bin, "manager"), "run", filepath.Join(folder, "crawl.toml"))
	cmd.Env = append(os.Environ(), crash.KillAt+"="+strconv.Itoa(at), crash.KillMark+"="+mark)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		text, err := os.ReadFile(mark)
		return true, strings.TrimSpace(string(text)), err
	}
	if err != nil {
		said, _ := os.ReadFile(stderr.Name())
		err = fmt.Errorf("%w\n%s", err, said)
	}
	return false, "", err
}

// chain kills a crawl at each of the given changes in turn, lets it end, and
// checks all it left.
func (r *rig) chain(t *testing.T, kills []int) (fired int, err error) {
	folder := r.folder(t)
	var story []string
	for _, at := range kills {
		hit, where, err := r.run(folder, at)
		if err != nil {
			return fired, fmt.Errorf("after %v: %w", story, err)
		}
		if !hit {
			break
		}
		fired++
		story = append(story, where)
	}
	if _, _, err := r.run(folder, 0); err != nil {
		return fired, fmt.Errorf("after %v: %w", story, err)
	}
	if err := r.check(filepath.Join(folder, "crawl")); err != nil {
		return fired, fmt.Errorf("after %v: %w", story, err)
	}
	return fired, nil
}

// reachable are the numbers that the crawl must find.
func reachable() map[int]bool {
	all := map[int]bool{}
	var visit func(int)
	visit = func(n int) {
		if !all[n] {
			all[n] = true
			if n&1 == 1 && n > 1 {
				visit(n / 2)
			}
		}
	}
	for _, numbers := range seeds {
		for _, n := range numbers {
			visit(n)
		}
	}
	return all
}

// check holds a finished crawl against what must be there: each number once in
// the archive, the odd and even ones once where they belong, the state complete,
// nothing left over, and the law in every transaction.
func (r *rig) check(dir string) error {
	all := reachable()
	odd := func(n int) bool { return n&1 == 1 }
	even := func(n int) bool { return n&1 == 0 }
	any := func(int) bool { return true }
	return errors.Join(
		sameNumbers(dir, "archive", all, any), sameNumbers(dir, "odd", all, odd), sameNumbers(dir, "abroad", all, even),
		sameNumbers(dir, "state/known", all, any),
		nothingLeftOver(dir), lawHolds(dir))
}

func sameNumbers(dir, queue string, all map[int]bool, belongs func(int) bool) error {
	got := map[int]int{}
	files, err := filepath.Glob(filepath.Join(dir, queue, "*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		for _, word := range strings.Fields(string(text)) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return err
			}
			got[n]++
		}
	}
	var bad []string
	for n := range all {
		if belongs(n) && got[n] != 1 {
			bad = append(bad, fmt.Sprintf("%d %d times", n, got[n]))
		}
		delete(got, n)
	}
	for n := range got {
		bad = append(bad, fmt.Sprintf("%d, which nobody linked", n))
	}
	if bad != nil {
		slices.Sort(bad)
		return fmt.Errorf("%s holds %v", queue, bad)
	}
	return nil
}

// nothingLeftOver holds every file of the directory against the log.
func nothingLeftOver(dir string) error {
	rp, err := txlog.Load(filepath.Join(dir, txlog.LogFile))
	if err != nil {
		return err
	}
	live := map[string]bool{"lock": true, "log": true, "history/script.toml": true}
	for name := range rp.State.Batches {
		live[string(name)] = true
	}
	for _, segments := range rp.State.Segments {
		for _, s := range segments {
			live[string(s.Name)] = true
		}
	}
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		if err != nil || live[name] || strings.HasPrefix(name, "history/log-") || strings.HasPrefix(name, "abroad/") {
			return err
		}
		if !e.IsDir() || strings.HasPrefix(name, "work/") {
			return fmt.Errorf("%s is left over", name)
		}
		return nil
	})
}

// lawHolds sums every transaction of the whole history: what came in went out or
// has a reason; no number ends twice.
func lawHolds(dir string) error {
	numbers := map[uint64]bool{}
	_, err := txlog.History(dir, txlog.Position{}, func(r txlog.Record) error {
		if numbers[r.Number()] {
			return fmt.Errorf("number %d was used twice", r.Number())
		}
		numbers[r.Number()] = true
		c, ok := r.(*txlog.Commit)
		if !ok || c.Read < 0 {
			return nil
		}
		var sum int64
		for _, o := range c.Outputs {
			if !o.Made {
				sum += o.Records
			}
		}
		for _, why := range c.Reasons {
			sum += why.N
		}
		if sum != c.Read {
			return fmt.Errorf("transaction %d read %d records, %d are accounted for", c.Tx, c.Read, sum)
		}
		return nil
	}, nil)
	return err
}

// kills draws the instants of a chain of four. An undisturbed run makes some 700
// changes; a chain's later links are shorter, because less is left to do.
func kills(seed uint64) []int {
	rnd := rand.New(rand.NewPCG(seed, 0))
	return []int{1 + rnd.IntN(600), 1 + rnd.IntN(300), 1 + rnd.IntN(150), 1 + rnd.IntN(100)}
}

// A crawl that is killed before any change of the file system, again and again,
// its recovery included, ends with the same result.
func TestKilledAtAnyInstant(t *testing.T) {
	r := newRig(t)
	fired := 0
	for seed := range *chains {
		n, err := r.chain(t, kills(uint64(seed)))
		if err != nil {
			t.Fatalf("chain %d: %v", seed, err)
		}
		fired += n
	}
	t.Logf("%d kills fired in %d chains", fired, *chains)
	if fired < 2**chains {
		t.Errorf("only %d kills fired in %d chains; the instants lie beyond the run", fired, *chains)
	}
}

// The very first start is killed before each of its first changes: the crawl is
// born whole or not at all.
func TestKilledAtBirth(t *testing.T) {
	r := newRig(t)
	fired := 0
	for at := 1; at <= 40; at++ {
		n, err := r.chain(t, []int{at, 1 + at/2})
		if err != nil {
			t.Fatalf("killed at change %d: %v", at, err)
		}
		fired += n
	}
	t.Logf("%d kills fired", fired)
	if fired < 75 {
		t.Errorf("%d of 80 kills fired", fired)
	}
}

// Each defect is seen by the chains, or they would prove nothing.
func TestKillsSeeDefects(t *testing.T) {
	for name, defect := range map[string]crash.Change{
		"inputs deleted before the commit": {
			File: "manager/internal/crawl/finish.go",
			Old:  "	if err := st.Log.Append(rec); err != nil {",
			New: "	for _, in := range rec.Inputs {\n		if in.Gone {\n			st.Dir.Remove(in.Name)\n		}\n	}\n" +
				"	if err := st.Log.Append(rec); err != nil {",
		},
		"no redo of renames": {
			File: "manager/internal/workdir/recover.go",
			Old:  "if err := d.Place(name.Tx(), name); err != nil {",
			New:  "if err := error(nil); err != nil {",
		},
		"no redo of removals": {
			File: "manager/internal/workdir/recover.go",
			Old:  "if err := d.Remove(name); err != nil {",
			New:  "if err := error(nil); err != nil {",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, defect)
			if _, err := r.chain(t, nil); err != nil {
				t.Fatalf("red without a kill: %v", err)
			}
			for seed := range uint64(200) {
				if _, err := r.chain(t, kills(seed)); err != nil {
					t.Logf("red at chain %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			t.Error("200 chains of kills did not see it")
		})
	}
}
