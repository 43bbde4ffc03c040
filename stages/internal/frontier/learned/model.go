package learned

import (
	"math"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
)

const (
	blockSize = 64
	// Blocks is the number of blocks that a model has.
	Blocks = 512
)

// A weight is that of a feature.
type weight struct {
	w float32
	g float32 // sum of the squares of its gradients
}

// A Model is what was learned. It is not safe for concurrent use.
type Model struct {
	hash    *keyed.Hash
	weights [Blocks * blockSize]weight
	changed [Blocks]bool

	found []uint32 // features of the record at hand: places of their weights
	text  []byte
}

// New returns a Model that knows nothing: it expects a worth of a half of all.
func New(hash *keyed.Hash) *Model { return &Model{hash: hash} }

// Constants of learning.
const (
	step   = 0.1 // of a weight that has not moved
	soft   = 1e-2
	widest = 20 // bound on a weight
)

// Predict returns how much the page of rec is expected to be worth, in log-odds: 0 for a half.
func (m *Model) Predict(rec *urlbatch.Record) float64 {
	m.features(rec)
	return m.sum()
}

func (m *Model) sum() (z float64) {
	for _, at := range m.found {
		z += float64(m.weights[at].w)
	}
	return z
}

// Learn takes in that the page of rec was worth so much, from 0 to 1.
func (m *Model) Learn(rec *urlbatch.Record, worth float64) {
	m.features(rec)
	gradient := float32(1/(1+math.Exp(-m.sum())) - worth)
	for _, at := range m.found {
		w := &m.weights[at]
		w.g += gradient * gradient
		w.w -= step * gradient / (soft + float32(math.Sqrt(float64(w.g))))
		w.w = min(max(w.w, -widest), widest)
		m.changed[at/blockSize] = true
	}
}
