package crash

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
)

// A Model says what a power cut may leave of a folder. It keeps what POSIX
// promises, and no more:
//
//   - a file's content is durable once the file was synced, and its name once
//     the directory was; neither implies the other;
//   - of what was written since the last sync, nothing, all or any beginning may
//     be there, with zeros for the rest or for a sector within;
//   - of the entries made, moved and removed since the last sync of their
//     directory, any may be there and any not, whatever their order was;
//   - what a failed sync was to make durable is lost for good, though it can be
//     read until the cut.
//
// Two things are granted, as no file system in use breaks them: a rename is one
// step, so a sync of either directory makes all of it durable; and a directory is
// gone only once everything in it is.
type Model struct {
	root  *node
	steps []*step
}

// A node is a file or a directory, whatever it is called.
type node struct {
	dir     bool
	entries map[string]*node // before the cut
	writes  []write
	syncs   []int // the operations that made all writes before them durable
}

type write struct {
	at   int
	data []byte
	lost bool
}

// A step changes the entries of directories: from is taken away, to is added.
type step struct {
	at, durable int // operations, from 0, base is before them; math.MaxInt: never durable
	node        *node
	from, to    spot
}

type spot struct {
	dir  *node
	name string
}

func (s *step) touches(dir *node) bool { return s.from.dir == dir || s.to.dir == dir }

// NewModel folds a trace that began in a folder with all of base durable in it.
// An error means that the trace does not tell all that was done.
func NewModel(base Tree, trace []Op) (*Model, error) {
	m := &Model{root: &node{dir: true, entries: map[string]*node{}}}
	for _, name := range base.names() {
		op := Op{Kind: Found, Path: name, Data: base[name]}
		if path, ok := strings.CutSuffix(name, "/"); ok {
			op = Op{Kind: Mkdir, Path: path}
		}
		if err := m.fold(-2, op); err != nil {
			return nil, err
		}
	}
	for _, s := range m.steps {
		s.durable = -1
	}
	for i, op := range trace {
		if err := m.fold(i, op); err != nil {
			return nil, fmt.Errorf("operation %d of the trace, %s %s: %w", i, op.Kind, op.Path, err)
		}
	}
	return m, nil
}

func (m *Model) fold(at int, op Op) error {
	where, err := m.find(op.Path)
	if err != nil {
		return err
	}
	n := m.root
	if where.dir != nil {
		n = where.dir.entries[where.name]
	}
	switch op.Kind {
	case Mkdir, Folder:
		if n == nil || op.Kind == Mkdir {
			m.step(&step{at: at, node: &node{dir: true, entries: map[string]*node{}}, to: where})
		}
		return nil
	case Create:
		m.step(&step{at: at, node: &node{}, to: where})
		return nil
	case Found:
		if n == nil {
			m.step(&step{at: at, node: &node{writes: []write{{at: at, data: op.Data}}}, to: where})
		}
		return nil
	}
	if n == nil {
		return fs.ErrNotExist
	}
	switch op.Kind {
	case Write:
		n.writes = append(n.writes, write{at: at, data: op.Data})
	case Sync, Fsync:
		n.syncs = append(n.syncs, at)
		m.settle(n, at)
	case Lose:
		n.lose()
	case Remove:
		m.step(&step{at: at, node: n, from: where})
	case Rename, Link:
		to, err := m.find(op.To)
		if err != nil {
			return err
		}
		if op.Kind == Link {
			where = spot{}
		}
		m.step(&step{at: at, node: n, from: where, to: to})
	}
	return nil
}

// find leads to the place of a path; the root has none.
func (m *Model) find(path string) (spot, error) {
	if path == "." {
		return spot{}, nil
	}
	dir, name := filepath.Split(path)
	n := m.root
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if part == "" {
			continue
		}
		if n = n.entries[part]; n == nil || !n.dir {
			return spot{}, fmt.Errorf("no directory %s: %w", dir, fs.ErrNotExist)
		}
	}
	return spot{n, name}, nil
}

func (m *Model) step(s *step) {
	s.durable = math.MaxInt
	if s.from.dir != nil {
		delete(s.from.dir.entries, s.from.name)
	}
	if s.to.dir != nil {
		s.to.dir.entries[s.to.name] = s.node
	}
	m.steps = append(m.steps, s)
}

// settle makes the entries of a directory durable, and before a directory's
// removal all that had to leave it.
func (m *Model) settle(dir *node, at int) {
	for _, s := range m.steps {
		if s.durable != math.MaxInt || !s.touches(dir) {
			continue
		}
		s.durable = at
		if s.node.dir && s.to.dir == nil {
			m.settle(s.node, at)
		}
	}
}

// lose is a sync that failed.
func (n *node) lose() {
	since := -1
	if len(n.syncs) > 0 {
		since = n.syncs[len(n.syncs)-1]
	}
	for i := range n.writes {
		n.writes[i].lost = n.writes[i].lost || n.writes[i].at >= since
	}
}
