package crash

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
)

// A Model describes what a power failure may leave of a folder. It keeps what POSIX promises, and
// no more:
//
//   - A file's content is durable once the file was synced, and its name once the directory was
//     synced. Neither implies the other.
//   - Of the bytes written since the last sync, nothing, everything or any beginning may remain.
//     The rest, or a sector within, may be zeros.
//   - Of the entries created, moved and removed since the last sync of their directory, any may
//     remain and any may be lost, in any order.
//   - Data that a failed sync should have made durable is lost permanently, although it can be read
//     until the power failure.
//
// The Model makes two more promises, because no file system in use breaks them. A rename is atomic,
// so a sync of either directory makes all of it durable. A directory disappears only after
// everything in it.
type Model struct {
	root  *node
	steps []*step
}

// A node is a file or a directory, independent of its name.
type node struct {
	dir     bool
	entries map[string]*node // the entries before the cut
	writes  []write
	syncs   []int // the operations that made all writes before them durable
}

type write struct {
	at   int
	data []byte
	lost bool
}

// A step changes the entries of directories: it removes from and adds to.
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

// NewModel applies a trace to a folder in which all of base is durable. It returns an error if the
// trace does not contain every change.
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

// find returns the location of a path. The root has none.
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

// settle makes the entries of a directory durable. Before it makes the removal of a directory
// durable, it does the same for everything that was removed from that directory.
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

// lose applies a sync that failed.
func (n *node) lose() {
	since := -1
	if len(n.syncs) > 0 {
		since = n.syncs[len(n.syncs)-1]
	}
	for i := range n.writes {
		n.writes[i].lost = n.writes[i].lost || n.writes[i].at >= since
	}
}
