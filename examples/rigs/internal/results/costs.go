package results

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"multitext/examples/rigs/internal/draw"
)

// costs are what the experiments of a run take.
type costs struct {
	table       draw.Table
	began, last spent
}

// A spent is a time, and what this process and those that it started and waited for have had of the
// processors by then.
type spent struct {
	at        time.Time
	processor time.Duration
}

func now() spent {
	s := spent{at: time.Now()}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			s.processor += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return s
}

func newCosts() *costs {
	c := &costs{began: now(), table: draw.Table{Name: "run", Title: "What the run took",
		Note: "Seconds of time, and of all processors.", Columns: []string{"part", "seconds", "processor"}}}
	c.last = c.began
	return c
}

// done says what became of a part and what it took; one whose data is not there is no error.
func (c *costs) done(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Printf("%-12s skipped: %v\n", name, err)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	default:
		c.add(name, c.last)
	}
	c.last = now()
	return nil
}

// add adds what was spent since then.
func (c *costs) add(name string, since spent) {
	to := now()
	seconds, processor := to.at.Sub(since.at).Seconds(), (to.processor - since.processor).Seconds()
	fmt.Printf("%-12s %4.0f s, %4.0f s of processor\n", name, seconds, processor)
	c.table.Add(name, draw.Number(seconds, 0), draw.Number(processor, 0))
}

// write writes the table run, with what all took together, to a folder.
func (c *costs) write(folder string) error {
	c.add("all", c.began)
	chapter, err := NewChapter(folder, c.table.Name)
	if err != nil {
		return err
	}
	chapter.Table(&c.table)
	return chapter.Close()
}
