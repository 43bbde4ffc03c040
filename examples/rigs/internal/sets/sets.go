// Package sets reads the labelled sets of documents that the experiments are made on. They are no
// part of the repository: a folder holds them as NAME.tar.zst. Each set keeps to what is said of it
// there: messages without the header that names their group, no text twice, whole universities left
// out.
package sets

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/web"
)

// A Sample is a document of a set. Those of one fold are trained on, or judged, together.
type Sample struct {
	Name  string
	Label string
	Fold  string // "": neither trained on nor judged
	Body  []byte
	HTML  bool
}

// Train and Test are the folds of a set that is cut once.
const (
	Train = "train"
	Test  = "test"
)

// A Set is samples, and the Web that they are, if they are one: Web.Pages[i] is Samples[i].
type Set struct {
	Name    string
	Samples []Sample
	Web     *web.Web
}

// Document makes d the terms of a sample.
func (s *Sample) Document(d *classify.Document, splitter *terms.Splitter) *classify.Document {
	if s.HTML {
		d.Read(splitter.HTML(s.Body))
	} else {
		d.Read(splitter.Text(s.Body))
	}
	return d
}

// Folds are the folds that are judged in turn: Test where a set is cut once, else all.
func (s *Set) Folds() []string {
	var all []string
	for i := range s.Samples {
		if f := s.Samples[i].Fold; f != "" {
			all = append(all, f)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); slices.Equal(all, []string{Test, Train}) {
		return []string{Test}
	}
	return all
}

// half is the fold of a document, by the hash of its name.
func half(name string) string {
	if xxhash.Sum64String(name)%2 == 0 {
		return Train
	}
	return Test
}

// Unpack gives every file of an archive to use, in the order of the archive. Where the archive is
// not there the error wraps fs.ErrNotExist.
func Unpack(dir, name string, use func(path string, body []byte) error) (err error) {
	f, err := os.Open(filepath.Join(dir, name+".tar.zst"))
	if err != nil {
		return fmt.Errorf("read the set %s: %w", name, err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return fmt.Errorf("read the set %s: %w", name, err)
	}
	defer z.Close()
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the set %s: %w", name, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(files)
		if err != nil {
			return fmt.Errorf("read the set %s: %s: %w", name, h.Name, err)
		}
		if err := use(strings.TrimPrefix(h.Name, "./"), body); err != nil {
			return fmt.Errorf("read the set %s: %s: %w", name, h.Name, err)
		}
	}
}

// Newsgroups is the bodies of 20 Newsgroups: their headers hold the label.
func Newsgroups(dir string) (*Set, error) {
	return texts(dir, "20news", func(body []byte) []byte {
		_, text, _ := bytes.Cut(body, []byte("\n\n"))
		return text
	})
}

// BBC is the BBC's news, each text once: of 2,225 that are 2,089, as many were printed again under
// another heading, or in another layout.
func BBC(dir string) (*Set, error) {
	met := make(map[uint64]bool)
	return texts(dir, "bbc", func(body []byte) []byte {
		_, text, _ := bytes.Cut(body, []byte("\n"))
		hash := xxhash.Sum64(bytes.Join(bytes.Fields(text), []byte(" ")))
		if met[hash] {
			return nil
		}
		met[hash] = true
		return body
	})
}

// texts reads a set of plain texts in a folder for each label. One of which text leaves nothing is
// left out.
func texts(dir, name string, text func([]byte) []byte) (*Set, error) {
	s := &Set{Name: name}
	err := Unpack(dir, name, func(path string, body []byte) error {
		parts := strings.Split(path, "/")
		if len(parts) != 3 {
			return nil // README.TXT
		}
		if body = text(body); body != nil {
			s.Samples = append(s.Samples, Sample{Name: path, Label: parts[1], Fold: half(parts[2]), Body: body})
		}
		return nil
	})
	slices.SortFunc(s.Samples, func(a, b Sample) int { return strings.Compare(a.Name, b.Name) })
	return s, err
}
