package txlog

import "time"

// A Record is the content of one line after the checkpoint: a *Commit or an *Abort.
type Record interface {
	// Number returns the transaction that the record ends.
	Number() uint64
	kind() string
	fields(*codec)
	apply(*State) error
}

// A Run describes how a stage ran, for people. Replay uses only Start.
type Run struct {
	Command []string // argv, with "{in}" for the list of inputs
	Start   time.Time
	End     time.Time
	CPU     time.Duration // user and system time of the process and of the children that it waited for
	Memory  int64         // peak resident bytes of the largest of these processes
	Exit    string        // "0", "1", "signal: killed", "timeout"
	Stderr  string        // its last 4 KB
	Shown   []Shown       // the files in the script's read that it was shown
}

// A Shown is a file outside the crawl, for instance a file of rules, with the hash of its content
// in one run.
type Shown struct {
	Name string `json:"name"` // the name of its placeholder
	// XXH64 in 16 hex digits; "" if the file could not be read, or changed during the run.
	Hash string `json:"xxh64,omitempty"`
}

// An Input is a batch that a run was given.
type Input struct {
	Name    Name
	Records int64 // the number of records in its commit; -1 if unknown
	Gone    bool  // every reader has read it, so it leaves the live set
}

// An Output is a file that a run wrote: a batch, or a segment of a state.
type Output struct {
	Name    Name
	Size    int64
	Hash    string // XXH64 of the file, 16 hex digits
	Records int64  // -1 if unknown
	Made    bool   // its records have another unit than the input's
	Export  bool   // it is for other machines and never joins the live set
	Due     time.Time
	Latest  bool // Due is the latest time: it is due at a standstill, too
	Product bool // it brings no work: the clock has started a stage without state, and none reads the queue
}

// A Count is a named number of a report.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// A Because says why N records of a run were dropped. The log contains an example and the remedy in
// the first line of the stage that has one. State keeps them.
type Because struct {
	Name    string `json:"name"`
	N       int64  `json:"n"`
	Example string `json:"example,omitempty"`
	Remedy  string `json:"remedy,omitempty"` // what to do about it; usually ""
}

// A Forgotten is a stage, state or queue that the script does not name any more and the user
// removed. With Kind "reader" and Name "QUEUE/STAGE" it is a queue that a stage of the script does
// not read any more.
type Forgotten struct{ Kind, Name string }

// A Commit makes a run take effect: from the moment its line is durable, its outputs exist and its
// inputs are read. Seeds and requests commit without a stage.
type Commit struct {
	Tx       uint64
	Stage    string // "" if no stage ran
	Run      Run
	Inputs   []Input
	Read     int64 // records read, according to the report; -1 without a report
	Outputs  []Output
	State    string   // the state that the stage writes; "" if there is none
	Segments []Output // at most one new segment
	Replaced []Name   // the newest segments, which the new one replaces
	Reasons  []Count
	Counts   []Count
	Gauges   []Count // numbers as they are after the run: State keeps the last, and no sum
	Because  []Because
	Notes    []string

	Seed    string // key of the seed that was added, see State.Seeded
	Request string // id of the request that was answered
	Part    Count  // the request that it answers in part, and how much is done so far
	Reset   []Mark // marks that the request "retry" removed; without a batch name: the stage itself
	Forget  []Forgotten
	Gone    []Name // batches that the requests "forget" or "drop" removed, and lost segments
	Was     Renamed
	Export  string // a queue that is exported from now on, with all batches that it contains
}

// A Renamed is a stage with a new name. Both fields are "" if no stage was renamed.
type Renamed struct{ From, To string }

// An Abort ends a run that does not commit. Its Marks contain the new values and not the changes,
// so that replaying a line twice cannot count a failure twice.
type Abort struct {
	Tx     uint64
	Stage  string
	Run    Run
	Inputs []Input
	Why    string
	Marks  []Mark    // nil if the failure counts against no input
	Row    int       // failures of the stage in a row, each on other batches
	Rest   time.Time // the stage rests until then
}

// The Why of aborts that do not count as failures of their stage.
const (
	WhyStopped = "stopped"   // the manager was told to end the run
	WhyLater   = "try later" // the run exited with code 75
)

// Failed reports whether the run counts as a failure of its stage.
func (a *Abort) Failed() bool { return a.Why != WhyStopped && a.Why != WhyLater }

// A Mark records how often a stage has failed on a batch, and when the stage may retry it.
type Mark struct {
	Name   Name      `json:"batch"`
	Stage  string    `json:"stage"`
	Fails  int       `json:"failures,omitempty"` // failures that count against the batch
	Laters int       `json:"laters,omitempty"`   // how often in a row the stage said "try later"
	Until  time.Time `json:"until,omitzero"`     // not before then
	Alone  bool      `json:"alone,omitempty"`    // must be run without other inputs
	Aside  bool      `json:"aside,omitempty"`    // set aside until manager retry
}

// Zero reports whether the mark contains no information.
func (m Mark) Zero() bool {
	return m.Fails == 0 && m.Laters == 0 && m.Until.IsZero() && !m.Alone && !m.Aside
}

// Number implements Record.
func (c *Commit) Number() uint64 { return c.Tx }

// Number implements Record.
func (a *Abort) Number() uint64 { return a.Tx }
