package script

import (
	"slices"
	"time"
)

// A Script is a checked dataflow script: all of its names exist and all of its values are in range.
// It contains no maps, so equal scripts print the same text.
type Script struct {
	Path   string // the script, absolute
	Folder string // its folder, absolute; the working directory of every run
	Text   []byte // the parsed text, with the values of vars that were set from outside

	Dir      string // absolute; the crawl writes only below it
	Seeds    []Seed // in file order
	Vars     []Var  // in file order
	Limit    Limit
	Stop     Stop
	Queues   []*Queue   // with or without a table, sorted by first appearance in the file
	Stages   []*Stage   // in file order
	Services []*Service // in file order

	file string // as given to Load or Parse
}

// Queue returns the queue with a name, or nil if there is none.
func (s *Script) Queue(name string) *Queue {
	return first(s.Queues, func(q *Queue) bool { return q.Name == name })
}

// Stage returns the stage with a name, or nil if there is none.
func (s *Script) Stage(name string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.Name == name })
}

// Owner returns the stage that writes a state, or nil if there is none.
func (s *Script) Owner(state string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.State == state && state != "" })
}

// Heir returns the stage that has or had a name, or nil if there is none.
func (s *Script) Heir(name string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.Name == name || t.Was == name })
}

// first returns the first element that matches, or nil if none does.
func first[T any](all []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(all, match); i >= 0 {
		return all[i]
	}
	return nil
}

// QueueNames returns the names of the queues, in the order of Queues.
func (s *Script) QueueNames() (names []string) {
	for _, q := range s.Queues {
		names = append(names, q.Name)
	}
	return names
}

// StageNames returns the names of the stages, in file order.
func (s *Script) StageNames() (names []string) {
	for _, t := range s.Stages {
		names = append(names, t.Name)
	}
	return names
}

// A Seed is a file whose content enters a queue when the crawl first runs.
type Seed struct {
	Queue string
	File  string // absolute
}

// A Var is a constant that command lines may use as {NAME}.
type Var struct {
	Name, Value string
}

// Limit contains the limits of the whole crawl.
type Limit struct {
	Jobs      int      // maximum processes at once; default: the number of CPUs
	Bandwidth string   // as written, "" for none; passed to stages as {bandwidth}
	Idle      []Window // windows in which no stage starts
	Disk      int64    // minimum free bytes for a start; 0: the manager's default
	History   int64    // maximum bytes of sealed logs; 0: the manager's default
}

// Stop contains the conditions that end the crawl before all work is done.
type Stop struct {
	Never   bool          // the crawl does not end when nothing is left to do
	Time    time.Duration // of this run of the manager; 0: no limit
	Records []QueueLimit  // records ever committed to a queue
	Bytes   []QueueLimit  // bytes ever committed to a queue
}

// A QueueLimit is a total for one queue.
type QueueLimit struct {
	Queue string
	Limit int64
}

// A Queue is a directory of batch files of one kind.
type Queue struct {
	Name    string
	Ext     string   // extension of its batch files, without the first dot; default "zst"
	Keep    bool     // batches stay when all readers have read them
	Export  bool     // batches are for other machines and leave the live set at commit
	Full    Amount   // its writers do not start while at least this much waits
	Verify  *Command // verifies its batches; nil for none
	Writers []*Stage // stages with the queue in their out, in file order
	Readers []*Stage // stages with the queue in their in, in file order
}

// An Amount is a number of batches or a number of bytes, never both. The zero Amount means no
// amount.
type Amount struct {
	Batches int
	Bytes   int64
}

// Zero reports whether the amount is zero.
func (a Amount) Zero() bool { return a == Amount{} }

// A Stage is a program that turns input batches into output batches. Each of its runs is a
// transaction.
type Stage struct {
	Name  string
	Was   string   // its former name, "" for none
	In    []string // queues, in file order; empty if the clock starts the stage
	Out   []string // queues, in file order
	State string   // the state that it writes, "" for none
	Read  []Read   // in file order

	Take    int           // maximum batches of a run; 1 to 1000, default 1
	Min     Amount        // with less waiting it starts only if nothing else can run
	Jobs    int           // maximum runs at once; default 1
	Every   time.Duration // 0: none; see the package comment
	Timeout time.Duration // of one run; 0: none
	Retry   int           // tries after the first failure; default 3
	Wait    time.Duration // before the first retry, doubling to an hour; default 10s
	Env     []string      // the variables of the manager's environment that its program gets

	Command
	Verify *Command // verifies the segments of its state; nil for none
}

// A Read is a file or a state that a stage may read and does not consume. Either File or State is
// set.
type Read struct {
	Name  string // the name of the placeholder
	File  string // absolute
	State string // the name of another stage's state
}

// A Service is a helper process that lives as long as the manager's run.
type Service struct {
	Name  string
	Ready string   // host:port that accepts connections once it is ready; "": it prints a first line
	Env   []string // as in a Stage

	Command
}

// Refused returns an error at the position of a command, with what its program reported.
func (s *Script) Refused(c *Command, msg string) *Error {
	r := reporter{file: s.file, text: s.Text}
	r.report(c.words[0][0].at, msg, "")
	return r.errs[0]
}
