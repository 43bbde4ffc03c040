package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

const logHelp = `Prints every transaction that has ended, in the order in which they ended, those
of sealed logs included: the committed ones, and the aborted ones, which never
happened but for what they say. The output is TSV with a line of names above;
with -json it is one object a line. "-" is what is unknown or not there. Times are
UTC; cpu and wall are in seconds, memory and bytes in bytes.`

// followEvery is how often -f looks whether the log has grown.
const followEvery = 300 * time.Millisecond

func logVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	follow := fs.Bool("f", false, "go on with what is added, until interrupted")
	stage := fs.String("stage", "", "only transactions of this `stage`")
	asJSON := fs.Bool("json", false, "print JSON, one object a line")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		c, code, err := m.look(path)
		if err != nil {
			return code, err
		}
		if *stage != "" {
			if err := known("stage", *stage, c.StageNames()); err != nil {
				return crawl.ExitBad, err
			}
		}
		l := &logPrinter{invocation: m, root: c.Root, stage: *stage, json: *asJSON}
		l.head()
		if c.Begun {
			err = l.more()
		}
		if err == nil && *follow {
			err = l.follow()
		}
		if err != nil {
			return codeOf(err), err
		}
		return crawl.ExitDone, nil
	}
}

// A logPrinter prints the history from where it stands.
type logPrinter struct {
	*invocation
	root  string
	stage string
	json  bool
	pos   txlog.Position
	seen  os.FileInfo // of the log, when it was last read by ifGrown
}

var logColumns = []string{"tx", "result", "stage", "start", "wall", "cpu", "memory", "exit",
	"inputs", "read", "outputs", "records", "bytes", "what"}

func (l *logPrinter) head() {
	if !l.json {
		fmt.Fprintln(l.out, strings.Join(logColumns, "\t"))
	}
}

// more prints what the history holds beyond what was printed.
func (l *logPrinter) more() error {
	pos, err := txlog.History(l.root, l.pos, l.record, func(generation uint64) {
		fmt.Fprintf(l.err, "manager: generation %d of the log ends within a line: it was being written when its manager ended, and never counted\n", generation)
	})
	if err == nil {
		l.pos = pos
	}
	return err
}

func (l *logPrinter) record(r txlog.Record) error {
	t := view.FromRecord(r)
	if l.stage != "" && l.stage != t.Stage {
		return nil
	}
	if l.json {
		return json.NewEncoder(l.out).Encode(t)
	}
	_, err := fmt.Fprintln(l.out, strings.Join(logRow(t), "\t"))
	return err
}

// logRow are the cells of a transaction, free of tabs and line ends.
func logRow(t *view.Transaction) []string {
	records, bytes := new(int64), int64(0)
	for _, o := range t.Outputs {
		if bytes += o.Bytes; o.Records == nil {
			records = nil // of the sum of something unknown nothing is known
		} else if records != nil {
			*records += *o.Records
		}
	}
	row := []string{strconv.FormatUint(t.Tx, 10), t.Result, t.Stage, instant(t.Start), seconds(t.End.Sub(t.Start).Seconds()),
		seconds(t.CPU), strconv.FormatInt(t.Memory, 10), t.Exit, strconv.Itoa(len(t.Inputs)), figure.Known(t.Read),
		strconv.Itoa(len(t.Outputs)), figure.Known(records), strconv.FormatInt(bytes, 10), t.What}
	for i, cell := range row {
		if row[i] = terminal.Printable(cell); cell == "" {
			row[i] = "-"
		}
	}
	return row
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// follow prints what is added to the log until it is interrupted.
func (l *logPrinter) follow() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if err := l.ifGrown(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return l.ifGrown()
		case <-tick.C:
		}
	}
}

// ifGrown reads the log again where its file has changed since the last call. A
// crawl that has not begun has none.
func (l *logPrinter) ifGrown() error {
	info, err := os.Stat(filepath.Join(l.root, txlog.LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if l.seen != nil && os.SameFile(info, l.seen) && info.Size() == l.seen.Size() {
		return nil
	}
	l.seen = info
	return l.more()
}
