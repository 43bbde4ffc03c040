package crawl

import (
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// leavings are what a committed run has left to remove.
type leavings struct {
	rec *txlog.Commit
	run *run
}

// tidy removes what committed runs have left: the inputs that nobody owes any more, and
// what is in their directories under work/, which the next runs of their stages are given.
// No run waits for that, so those that may start are started first, unless there is no
// room for them. If the manager ends before, the next start does it.
func (c *Crawl) tidy() error {
	for _, l := range c.untidy {
		if err := c.removeInputs(l.rec); err != nil {
			return err
		}
		if err := c.spare(l.run); err != nil {
			return err
		}
	}
	c.untidy = c.untidy[:0]
	return nil
}

// spare keeps the directory of a run for the next one of its stage, if no process has any
// of it open. There are never more than have run at once.
func (c *Crawl) spare(r *run) error {
	if !r.alone {
		return c.Dir.Clear(r.tx.Number)
	}
	ok, err := r.tx.Strip()
	if ok {
		stage := r.take.Stage.Name
		c.spares[stage] = append(c.spares[stage], r.tx)
	}
	return err
}

// beginTx makes the directory of a run, from a spare one of its stage if there is one.
func (c *Crawl) beginTx(number uint64, st *script.Stage) (*workdir.Tx, error) {
	spares := c.spares[st.Name]
	if len(spares) == 0 {
		return c.Dir.Begin(number, st.Out, st.State)
	}
	last := len(spares) - 1
	tx, err := spares[last].HandOn(number)
	if err != nil {
		return nil, err
	}
	c.spares[st.Name] = spares[:last]
	return tx, nil
}

// clearUp is tidy, and keeps nothing for later: it is done where all the room is wanted
// that there can be, and at the end.
func (c *Crawl) clearUp() error {
	if err := c.tidy(); err != nil {
		return err
	}
	for stage, spares := range c.spares {
		for _, tx := range spares {
			if err := c.Dir.Clear(tx.Number); err != nil {
				return err
			}
		}
		delete(c.spares, stage)
	}
	return nil
}
