package outgoing

import (
	"path/filepath"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/sharing/nodes"
)

// A Cutter ends the part that it writes; with its next record it begins another.
type Cutter interface{ Cut() error }

// The most parts that are open at a time. Either takes 128 MB: an open part of URLs takes 2 MB, for
// its compressor, one of pages 256 KiB.
const (
	maxOpenURLs  = 64
	maxOpenPages = 512
)

// Writers are the writers to the folders of nodes; W is *urlbatch.Writer or *warc.Writer.
type Writers[W Cutter] struct {
	files      *output.Run
	first, ext string
	most       int // parts that are open at a time
	create     func(*output.Parts) W

	byName map[string]*writer[W]
	open   []*writer[W] // in the order of their parts' first records
}

type writer[W Cutter] struct {
	w    W
	open bool
}

// New returns the writers of a run. first is the first part of the output as the manager gives it:
// the folders of nodes are made beside it. ext is Pages or URLs. The writer of a node is made by
// create.
func New[W Cutter](files *output.Run, first, ext string, create func(*output.Parts) W) *Writers[W] {
	most := maxOpenURLs
	if ext == Pages {
		most = maxOpenPages
	}
	return &Writers[W]{files: files, first: first, ext: ext, most: most, create: create,
		byName: map[string]*writer[W]{}}
}

// To returns the writer to the folder of n, for use until the next call of To. At most 64 nodes
// have an open part of URLs, 512 one of pages. For one more all parts are closed, and later records
// begin others; with more nodes than that the records of each should come together.
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

// Close ends all open parts. To may be called again.
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
