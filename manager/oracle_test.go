package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"multitext/txlog"
)

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

// check compares a finished crawl with what must be there: each number once in the archive, the odd
// and even ones once where they belong, the state complete, nothing left over, the secret of its
// birth, and the law in every transaction.
func (r *rig) check(dir string) error {
	all := reachable()
	odd := func(n int) bool { return n&1 == 1 }
	even := func(n int) bool { return n&1 == 0 }
	any := func(int) bool { return true }
	return errors.Join(
		sameNumbers(dir, "archive", all, any), sameNumbers(dir, "odd", all, odd), sameNumbers(dir, "abroad", all, even),
		sameNumbers(dir, "state/known", all, any),
		nothingLeftOver(dir), hasSecret(dir), lawHolds(dir))
}

// hasSecret wants the whole secret that a crawl is born with.
func hasSecret(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "secret"))
	if secret, bad := hex.DecodeString(strings.TrimSuffix(string(text), "\n")); err == nil &&
		(bad != nil || len(secret) != 16) {
		err = fmt.Errorf("the secret is %q", text)
	}
	return err
}

// sameNumbers wants each number that belongs into a queue once in it. More queues may be named,
// with spaces between: then each number must be once in all of them together.
func sameNumbers(dir, queues string, all map[int]bool, belongs func(int) bool) error {
	got := map[int]int{}
	for _, queue := range strings.Fields(queues) {
		if err := countNumbers(filepath.Join(dir, queue), got); err != nil {
			return err
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
		return fmt.Errorf("%s holds %v", queues, bad)
	}
	return nil
}

func countNumbers(dir string, got map[int]int) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
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
		return nil
	})
}

// nothingLeftOver wants the log to know every file of the directory.
func nothingLeftOver(dir string) error {
	rp, err := txlog.Load(filepath.Join(dir, txlog.LogFile))
	if err != nil {
		return err
	}
	live := map[string]bool{"log": true, "secret": true, "history/script.toml": true}
	for _, o := range rp.State.Files() {
		live[string(o.Name)] = true
	}
	// The stderr of a run whose input was set aside is kept.
	_, err = txlog.History(dir, txlog.Position{}, func(r txlog.Record) error {
		if a, ok := r.(*txlog.Abort); ok && slices.ContainsFunc(a.Marks, func(m txlog.Mark) bool { return m.Aside }) {
			live["failed/"+txlog.TxDir(a.Tx)] = true
		}
		return nil
	}, nil)
	if err != nil {
		return err
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
