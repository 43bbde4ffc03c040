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

// Begin does what comes before the first run of a start. It stores the script for the reading
// verbs, commits the edits of the script, and adds the seeds.
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
		// The text that was read is added, because the file may have changed since.
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

// Foretell applies to a state what Begin would commit. It returns what Begin would print about the
// edits, and the seeds that it would add.
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

// edits returns the transactions that commit the edits of the script, each with a note. The first
// ones rename stages. The next ones export the queues that are newly exported, so that no later
// start misses a batch that another machine has taken.
func edits(s *script.Script, state *txlog.State) (recs []*txlog.Commit) {
	for _, st := range s.Stages {
		if st.Was != "" && slices.Contains(state.Stages(), st.Was) {
			note := fmt.Sprintf("stage %s is called %s from now on, and continues where it was", st.Was, st.Name)
			recs = append(recs, &txlog.Commit{Was: txlog.Renamed{From: st.Was, To: st.Name}, Notes: []string{note}})
		}
	}
	for _, q := range s.Queues {
		if !q.Export {
			continue
		}
		if n := len(inQueue(state, q.Name)); n > 0 {
			note := fmt.Sprintf("queue %s is exported now; its content, %s, is for other machines from now on",
				q.Name, figure.Count(n, "batch"))
			recs = append(recs, &txlog.Commit{Export: q.Name, Notes: []string{note}})
		}
	}
	return recs
}

// inQueue returns the live batches of a queue.
func inQueue(state *txlog.State, queue string) (names []txlog.Name) {
	for name := range state.Batches() {
		if name.Queue() == queue {
			names = append(names, name)
		}
	}
	return names
}

// eachSeed calls take for each new file of seeds, with a commit that records it. So each seed file
// is added once per queue and content.
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
