package complete

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/given"
	"multitext/manager/internal/view"
	"multitext/script"
	"multitext/txlog"
)

// The maximum numbers of batches and transactions that are offered, and of bytes of a script.
const (
	mostBatches      = 500
	mostTransactions = 20
	mostScript       = 256 << 10
)

// find finds the script that the line names: its first argument, or a script behind the cursor.
func (l *line) find(args []string) {
	for _, word := range append(slices.Clone(args[:min(len(args), 1)]), joined(l.behind)...) {
		if filepath.Ext(word) == ".toml" {
			l.script = word
			return
		}
	}
}

// load reads the script. It returns nil if the script has an error or needs another -var.
func (l *line) load() *script.Script {
	var vars []script.Var
	for _, text := range l.vars {
		if v, err := given.Var(text); err == nil {
			vars = append(vars, v)
		}
	}
	s, err := script.Load(l.script, nil, vars...)
	if err != nil {
		return nil
	}
	return s
}

// open opens the crawl of the script, or returns nil.
func (l *line) open() *view.Crawl {
	s := l.load()
	if s == nil {
		return nil
	}
	c, err := view.Open(s, time.Now())
	if err != nil {
		return nil
	}
	return c
}

// varNames offers the vars of the script, also if the script cannot be loaded without one.
func (l *line) varNames() {
	f, err := os.Open(l.script)
	if err != nil {
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostScript))
	if err != nil {
		return
	}
	var s struct{ Vars map[string]any }
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &s); err != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Vars)) {
		if value, ok := s.Vars[name].(string); ok {
			l.add(name+"=", "now "+strconv.Quote(value))
		}
	}
}

func (l *line) stages() {
	if s := l.load(); s != nil {
		l.choices(s.StageNames())
	}
}

func (l *line) queues() {
	if s := l.load(); s != nil {
		l.choices(s.QueueNames())
	}
}

// transactions offers the runs in progress, and the newest that have ended.
func (l *line) transactions() {
	c := l.open()
	if c == nil {
		return
	}
	running := map[uint64]bool{}
	for _, r := range c.Runs {
		running[r.Tx] = true
		l.add(strconv.FormatUint(r.Tx, 10), r.Stage+", has not ended")
	}
	for tx, n := c.State.Next(), 0; tx > 1 && n < mostTransactions; n++ {
		if tx--; !running[tx] {
			l.add(strconv.FormatUint(tx, 10), "")
		}
	}
}

// former offers what the crawl has and the script does not name any more.
func (l *line) former() {
	s, c := l.load(), l.open()
	if c == nil {
		return
	}
	for kind, names := range map[string][]string{"stage": c.State.Stages(), "state": c.State.States(), "queue": c.State.Queues()} {
		for _, name := range names {
			if s.Stage(name) == nil && s.Queue(name) == nil && s.Owner(name) == nil {
				l.add(name, kind+" that the script does not name")
			}
		}
	}
	slices.SortFunc(l.found, func(a, b candidate) int { return strings.Compare(a.text+a.about, b.text+b.about) })
}

// batches offers the queues that have batches, and the batches of a queue once its name is typed.
func (l *line) batches(args []string) {
	c := l.open()
	if c == nil {
		return
	}
	queues, fit := map[string]int{}, []string{}
	for name := range c.State.Batches() {
		queues[name.Queue()+"/"]++
		if text := string(name); strings.HasPrefix(text, l.word) && !slices.Contains(args, text) {
			fit = append(fit, text)
		}
	}
	if !strings.Contains(l.word, "/") {
		for _, queue := range slices.Sorted(maps.Keys(queues)) {
			l.add(queue, figure.Count(queues[queue], "batch"))
		}
		return
	}
	slices.Sort(fit)
	for _, name := range fit[:min(len(fit), mostBatches)] {
		l.add(name, figure.Bytes(c.State.Batch(txlog.Name(name)).Size))
	}
}
