package crawl

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// Begin does what comes before the first run of a start: the script is kept for the reading
// verbs, its edits become true, and its seeds come in.
func (st *Store) Begin(say func(string)) error {
	err := st.Dir.Disk.Replace(st.Dir.ScriptPath(), func(w io.Writer) error {
		_, err := w.Write(st.Script.Text)
		return err
	})
	if err != nil {
		return err
	}
	for _, rec := range edits(st.Script, st.Log.State) {
		given := inQueue(st.Log.State, rec.Export)
		st.number(rec)
		if err := st.Log.Append(rec); err != nil {
			return err
		}
		for _, name := range given {
			st.Log.Done(name)
		}
		say(rec.Notes[0])
	}
	return eachSeed(st.Script, st.Log.State, func(seed script.Seed, rec *txlog.Commit, text []byte) error {
		st.number(rec)
		// What was read is brought in: the file may be another by now.
		err := st.carry(rec, seed.Queue, []string{seed.File}, func(_ int, to string) (txlog.Output, error) {
			return copyIn(st.Dir.Disk, bytes.NewReader(text), to)
		})
		if err != nil {
			return err
		}
		if err := st.Settle(rec); err != nil {
			return err
		}
		say(fmt.Sprintf("seeds %s → %s", filepath.Base(seed.File), seed.Queue))
		return nil
	})
}

// Foretell applies to a state what Begin would commit. It returns what Begin would say of the
// edits, and the seeds that it would bring in.
func Foretell(s *script.Script, state *txlog.State) (said []string, seeds []script.Seed, err error) {
	for _, rec := range edits(s, state) {
		rec.Tx, rec.Read = state.Next(), -1
		if err := state.Apply(rec); err != nil {
			return nil, nil, err
		}
		said = append(said, rec.Notes[0])
	}
	err = eachSeed(s, state, func(seed script.Seed, rec *txlog.Commit, text []byte) error {
		rec.Tx, rec.Read = state.Next(), -1
		if len(text) > 0 {
			name := txlog.Name(seed.Queue + "/" + txlog.FileName("m", rec.Tx, 1, extension(seed.File)))
			rec.Outputs = []txlog.Output{{Name: name, Size: int64(len(text)), Records: -1}}
			seeds = append(seeds, seed)
		}
		return state.Apply(rec)
	})
	return said, seeds, err
}

// edits are the transactions that make edits of the script true, each with a note that says so.
// First, stages go on under new names. Then the queues that are exported from now on are given
// away, so that no later start misses what another machine has taken.
func edits(s *script.Script, state *txlog.State) (recs []*txlog.Commit) {
	for _, st := range s.Stages {
		if st.Was != "" && slices.Contains(state.Stages(), st.Was) {
			note := fmt.Sprintf("stage %s is called %s from here on, and goes on where it was", st.Was, st.Name)
			recs = append(recs, &txlog.Commit{Was: txlog.Renamed{From: st.Was, To: st.Name}, Notes: []string{note}})
		}
	}
	for _, q := range s.Queues {
		if !q.Export {
			continue
		}
		if n := len(inQueue(state, q.Name)); n > 0 {
			note := fmt.Sprintf("queue %s is exported now; what it holds, %s, is for other machines from here on",
				q.Name, figure.Count(n, "batch"))
			recs = append(recs, &txlog.Commit{Export: q.Name, Notes: []string{note}})
		}
	}
	return recs
}

// inQueue lists the live batches of a queue.
func inQueue(state *txlog.State, queue string) (names []txlog.Name) {
	for name := range state.Batches() {
		if name.Queue() == queue {
			names = append(names, name)
		}
	}
	return names
}

// eachSeed has each file of seeds taken that is new, with a commit that remembers it: seeds come
// in once per queue and content.
func eachSeed(s *script.Script, state *txlog.State, take func(script.Seed, *txlog.Commit, []byte) error) error {
	for _, seed := range s.Seeds {
		text, err := os.ReadFile(seed.File)
		if err != nil {
			return badUsage("seeds of %s: %w", seed.Queue, err)
		}
		key := fmt.Sprintf("%s %016x", seed.Queue, xxhash.Sum64(text))
		if state.Seeded(key) {
			continue
		}
		if err := take(seed, &txlog.Commit{Seed: key}, text); err != nil {
			return err
		}
	}
	return nil
}
