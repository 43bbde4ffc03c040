package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"multitext/classify"
	"multitext/classify/topics"
)

// A model is what train makes: of a set of labels, or of a tree of topics. One of the two is nil.
type model struct {
	flat *classify.Model
	tree *topics.Model
}

// loadModel reads a model of either kind.
func loadModel(path string) (m model, err error) {
	begin := make([]byte, 8)
	f, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("load model: %w", err)
	}
	n, err := io.ReadFull(f, begin)
	f.Close()
	if err == nil && topics.Is(begin[:n]) {
		m.tree, err = topics.Load(path)
	} else {
		m.flat, err = classify.Load(path)
	}
	return m, err
}

// explain writes why a document is classified as it is.
func (m model) explain(w io.Writer, d *classify.Document, top int) error {
	if m.tree != nil {
		return m.tree.Explain(w, d, top)
	}
	return m.flat.Explain(d, top).Print(w)
}

// readTree reads the tree in a file.
func readTree(path string) (*topics.Tree, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the tree of topics: %w", err)
	}
	tree, err := topics.Read(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("read the tree of topics %s: %w", path, err)
	}
	return tree, nil
}
