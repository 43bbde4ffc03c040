package crawl

import (
	"fmt"

	"multitext/txlog"
)

// tidy removes what committed runs have left: the inputs that nobody owes any more, and
// their directories under work/. No run waits for that, so those that may start are
// started first, unless there is no room for them. If the manager ends before, the next
// start does it.
func (c *Crawl) tidy() error {
	for _, rec := range c.untidy {
		if err := c.removeInputs(rec); err != nil {
			return err
		}
		if err := c.Dir.Clear(rec.Tx); err != nil {
			return err
		}
	}
	c.untidy = c.untidy[:0]
	return nil
}

func (st *Store) removeInputs(rec *txlog.Commit) error {
	for _, in := range rec.Inputs {
		if in.Gone {
			if err := st.remove(in.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (st *Store) remove(name txlog.Name) error {
	if err := st.Dir.Remove(name); err != nil {
		if st.Dir.Leave(err) == nil {
			return nil
		}
		return fmt.Errorf("%s counts no more and will be removed by the next start: %w", name, err)
	}
	st.Log.Done(name)
	return nil
}

// letGo gives up the segments that a run was handed, and removes those that were
// replaced and that no run was handed any more. After a crash no run is left, and
// recovery removes them all.
func (c *Crawl) letGo(r *run) error {
	for _, name := range r.segments {
		if c.inUse[name]--; c.inUse[name] == 0 {
			delete(c.inUse, name)
		}
	}
	used := c.replaced[:0]
	for _, name := range c.replaced {
		if c.inUse[name] > 0 {
			used = append(used, name)
		} else if err := c.remove(name); err != nil {
			return err
		}
	}
	c.replaced = used
	return nil
}
