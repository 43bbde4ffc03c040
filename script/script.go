package script

import (
	"slices"
	"time"
)

// A Script is a checked dataflow script: every name in it resolves, every
// value is in range. It holds no maps, so two scripts compare and print alike.
type Script struct {
	Path   string // the script, absolute
	Folder string // its folder, absolute; the working directory of every run
	Text   []byte // the bytes it was parsed from, with the values that vars were given from outside

	Dir      string // absolute; everything the crawl writes lies below it
	Seeds    []Seed // in file order
	Vars     []Var  // in file order
	Limit    Limit
	Stop     Stop
	Queues   []*Queue   // declared or only mentioned; by first appearance in the file
	Stages   []*Stage   // in file order
	Services []*Service // in file order

	file string // as given to Load or Parse
}

// Queue returns the queue of that name, nil when there is none.
func (s *Script) Queue(name string) *Queue {
	return first(s.Queues, func(q *Queue) bool { return q.Name == name })
}

// Stage returns the stage of that name, nil when there is none.
func (s *Script) Stage(name string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.Name == name })
}

// Owner returns the stage that writes a state, nil when there is none.
func (s *Script) Owner(state string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.State == state && state != "" })
}

// Heir returns the stage that has a name, or had it before; nil when there is none.
func (s *Script) Heir(name string) *Stage {
	return first(s.Stages, func(t *Stage) bool { return t.Name == name || t.Was == name })
}

// first returns the first of all that matches, nil when none does.
func first[T any](all []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(all, match); i >= 0 {
		return all[i]
	}
	return nil
}

// QueueNames are the names of the queues, in the order of Queues.
func (s *Script) QueueNames() (names []string) {
	for _, q := range s.Queues {
		names = append(names, q.Name)
	}
	return names
}

// StageNames are the names of the stages, in file order.
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

// A Var is a constant that command lines may name as {NAME}.
type Var struct {
	Name, Value string
}

// Limit holds what bounds the whole crawl at any moment.
type Limit struct {
	Jobs      int      // processes at once; default: the number of CPUs
	Bandwidth string   // as written, "" for none; handed to stages as {bandwidth}
	Idle      []Window // nothing starts inside these
	Disk      int64    // bytes; with less free nothing starts; 0: no limit
	History   int64    // bytes of sealed logs that are kept; 0: the manager's default
}

// Stop holds what ends the crawl other than having nothing left to do.
type Stop struct {
	Never   bool          // having nothing to do is no end: a service
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
	Ext     string   // of its batch files, without the first dot; default "zst"
	Keep    bool     // batches stay when all readers are done
	Export  bool     // batches are for other machines and leave the live set at commit
	Full    Amount   // its writers wait while as much as this is owed
	Verify  *Command // of its batches; nil for none
	Writers []*Stage // stages with the queue in their out, in file order
	Readers []*Stage // stages with the queue in their in, in file order
}

// An Amount is a number of batches or a number of bytes, never both. The zero
// Amount means that none is asked for.
type Amount struct {
	Batches int
	Bytes   int64
}

// Zero reports whether no amount is asked for.
func (a Amount) Zero() bool { return a == Amount{} }

// A Stage is a program that turns input batches into output batches, one run
// a transaction.
type Stage struct {
	Name  string
	Was   string   // the name that it had before, "" for none
	In    []string // queues, in file order; empty for a clock stage
	Out   []string // queues, in file order
	State string   // the state it owns, "" for none
	Read  []Read   // in file order

	Take    int           // batches a run takes at most; 1 to 1000, default 1
	Min     Amount        // with less waiting it starts only when nothing else can
	Jobs    int           // runs at once; default 1
	Every   time.Duration // 0: none; see the package comment
	Timeout time.Duration // of one run; 0: none
	Retry   int           // tries after the first failure; default 3
	Wait    time.Duration // before the first retry, doubling to an hour; default 10s
	Env     []string      // variables of the manager's environment that its program is given

	Command
	Verify *Command // of its state's segments; nil for none
}

// A Read is a file or a state that a stage is shown and does not consume.
// Either File or State is set.
type Read struct {
	Name  string // of the placeholder
	File  string // absolute
	State string // the name of another stage's state
}

// A Service is a helper process that lives as long as the manager's run.
type Service struct {
	Name  string
	Ready string   // host:port that answers once it is ready; "": its first line on stdout
	Env   []string // as of a Stage

	Command
}

// Refused returns an error at a command of the script, with what its program said against it.
func (s *Script) Refused(c *Command, msg string) *Error {
	r := reporter{file: s.file, text: s.Text}
	r.report(c.words[0][0].at, msg, "")
	return r.errs[0]
}
