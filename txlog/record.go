package txlog

import "time"

// A Record is what one line after the checkpoint tells: a *Commit or an *Abort.
type Record interface {
	// Number is the transaction that the record ends.
	Number() uint64
	kind() string
	fields(*codec)
	apply(*State) error
}

// A Run says how a stage ran. For people; replay uses only Start.
type Run struct {
	Command []string // argv, with "{in}" for the list of inputs
	Start   time.Time
	End     time.Time
	CPU     time.Duration // user and system time of the process and those it awaited
	Memory  int64         // peak resident bytes of the largest of them
	Exit    string        // "0", "1", "signal: killed", "timeout"
	Stderr  string        // its last 4 KB
	Shown   []Shown       // the files of read that it was shown
}

// Shown is a file that is none of the crawl's, as rules are, with what it held in one run.
type Shown struct {
	Name string `json:"name"` // of the placeholder
	// XXH64 in 16 hex digits; "" where it could not be read, or changed while the run went on.
	Hash string `json:"xxh64,omitempty"`
}

// An Input is a batch that a run was given.
type Input struct {
	Name    Name
	Records int64 // what it was committed with, -1 unknown
	Gone    bool  // nobody owes it any more: it leaves the live set
}

// An Output is a file that a run leaves: a batch, or a segment of a state.
type Output struct {
	Name    Name
	Size    int64
	Hash    string // XXH64 of the file, 16 hex digits
	Records int64  // -1 unknown
	Made    bool   // its records are of another unit than the input's
	Export  bool   // it is for other machines and never joins the live set
	Due     time.Time
}

// A Count is a named number of a report.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// A Because says why N records of a run went no further. The log
// holds an example and the remedy in the first line that has one, and State keeps it.
type Because struct {
	Name    string `json:"name"`
	N       int64  `json:"n"`
	Example string `json:"example,omitempty"`
	Remedy  string `json:"remedy,omitempty"` // what to do about it; mostly ""
}

// A Forgotten thing is a stage, state or queue that the script no longer names
// and the user let go; or, as Kind "reader" and Name "QUEUE/STAGE", a queue that
// a stage of the script no longer reads.
type Forgotten struct{ Kind, Name string }

// A Commit makes a run count: from the moment its line is durable, its outputs
// are there and its inputs are read. Seeds and requests commit without a stage.
type Commit struct {
	Tx       uint64
	Stage    string // "" where no stage ran
	Run      Run
	Inputs   []Input
	Read     int64 // records that the report says were read, -1 without a report
	Outputs  []Output
	State    string   // the state that the stage writes, "" none
	Segments []Output // at most one new segment
	Replaced []Name   // segments whose place it takes, the newest ones
	Reasons  []Count
	Counts   []Count
	Because  []Because
	Notes    []string

	Seed    string // key of the seed brought in, see State.Seeds
	Request string // id of the request answered
	Part    Count  // the request that it answers in part, and how much of that is done; more follows
	Reset   []Mark // marks put back, by the request "retry"; without a name: the stage itself
	Forget  []Forgotten
	Gone    []Name // batches that leave by the request "forget" or "drop", and lost segments
	Was     Renamed
	Export  string // a queue that is for other machines from now on: all that it holds is exported
}

// Renamed tells that a stage is called otherwise from now on; both are "" where none is.
type Renamed struct{ From, To string }

// An Abort ends a run that does not count. Its Marks are the new ones, absolute,
// so that replaying a line twice could not charge twice.
type Abort struct {
	Tx     uint64
	Stage  string
	Run    Run
	Inputs []Input
	Why    string
	Marks  []Mark    // nil where nobody is charged
	Row    int       // failures of the stage in a row, each on other batches
	Rest   time.Time // the stage rests until then
}

// The Why of aborts that are no failures, and are not counted as failures of their stage.
const (
	WhyStopped = "stopped"   // the manager was told to end the run
	WhyLater   = "try later" // the run said so, by exit code 75
)

// A Mark says how often a stage has failed on a batch, and when it may try it again.
type Mark struct {
	Name   Name      `json:"batch"`
	Stage  string    `json:"stage"`
	Fails  int       `json:"failures,omitempty"` // charged
	Laters int       `json:"laters,omitempty"`   // times it said "try later" in a row
	Until  time.Time `json:"until,omitzero"`     // not before then
	Alone  bool      `json:"alone,omitempty"`    // to be run without other inputs
	Aside  bool      `json:"aside,omitempty"`    // set aside until somebody says retry
}

// Zero reports whether the mark says nothing.
func (m Mark) Zero() bool {
	return m.Fails == 0 && m.Laters == 0 && m.Until.IsZero() && !m.Alone && !m.Aside
}

// Number implements Record.
func (c *Commit) Number() uint64 { return c.Tx }

// Number implements Record.
func (a *Abort) Number() uint64 { return a.Tx }
