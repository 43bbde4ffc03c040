package outgoing

import (
	"path/filepath"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/sharing/nodes"
)

// A Cutter can end the part that it writes. Its next record begins a new part.
type Cutter interface{ Cut() error }

// The maximum numbers of parts that are open at a time. In both cases they use 128 MB: an open part
// of URLs uses 2 MB, for its compressor, and an open part of pages uses 256 KiB.
const (
	maxOpenURLs  = 64
	maxOpenPages = 512
)

// Writers has the writers for the folders of nodes. W is *urlbatch.Writer or *warc.Writer.
type Writers[W Cutter] struct {
	files      *output.Run
	first, ext string
	most       int // maximum number of open parts
	create     func(*output.Parts) W

	byName map[string]*writer[W]
	open   []*writer[W] // writers with open parts, in the order of their first records
}

type writer[W Cutter] struct {
	w    W
	open bool
}

// New returns the writers of a run. first is the path of the output's first part, as the manager
// chose it; the folders of nodes are created beside it. ext is Pages or URLs. create returns the
// writer for a node.
func New[W Cutter](files *output.Run, first, ext string, create func(*output.Parts) W) *Writers[W] {
	most := maxOpenURLs
	if ext == Pages {
		most = maxOpenPages
	}
	return &Writers[W]{files: files, first: first, ext: ext, most: most, create: create,
		byName: map[string]*writer[W]{}}
}

// To returns the writer for the folder of n. Use it only until the next call of To. At most 64
// nodes have an open part of URLs, or 512 nodes an open part of pages. If another node needs a
// part, all parts are closed, and later records begin new parts. So if there are more nodes, the
// records of each node should come together.
func (ws *Writers[W]) To(n *nodes.Node) (W, error) {
	w := ws.byName[n.Name]
	if w == nil {
		folder := filepath.Join(filepath.Dir(ws.first), n.Name)
		w = &writer[W]{w: ws.create(ws.files.Hashed(folder, ws.first, ws.ext))}
		ws.byName[n.Name] = w
	}
	if w.open {
		return w.w, nil
	}
	if len(ws.open) == ws.most {
		if err := ws.Close(); err != nil {
			return w.w, err
		}
	}
	w.open = true
	ws.open = append(ws.open, w)
	return w.w, nil
}

// Close ends all open parts. To may be called afterwards.
func (ws *Writers[W]) Close() error {
	for _, w := range ws.open {
		w.open = false
		if err := w.w.Cut(); err != nil {
			return err
		}
	}
	ws.open = ws.open[:0]
	return nil
}
