package webgraph

import (
	"encoding/binary"
	"errors"
	"math"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/state/segment"
)

var errWorth = errors.New("the worth of a page is malformed")

// A judgement is what is known of a page that was fetched and judged.
type judgement struct {
	worth float32 // from 0 to 1
	depth uint64  // links from a seed
}

func judgementOf(rec *urlbatch.Record) judgement {
	return judgement{float32(rec.Share(urlbatch.Worth)), uint64(max(rec.Int(urlbatch.Depth), 0))}
}

func (j judgement) pack() []byte {
	return binary.AppendUvarint(binary.LittleEndian.AppendUint32(nil, math.Float32bits(j.worth)), j.depth)
}

func (j *judgement) unpack(value []byte) error {
	if len(value) < 5 {
		return errWorth
	}
	j.worth = math.Float32frombits(binary.LittleEndian.Uint32(value))
	f := segment.FieldsOf(value[4:])
	j.depth = f.Number(math.MaxInt64)
	if !(j.worth >= 0 && j.worth <= 1) {
		return errWorth
	}
	return f.End()
}

// An asking is when a page was last asked for.
type asking struct {
	links  uint64 // of the graph then
	visits uint64 // how often it was asked for as a hub
}

func (a asking) pack() []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, a.links), a.visits)
}

func (a *asking) unpack(value []byte) error {
	f := segment.FieldsOf(value)
	a.links, a.visits = f.Number(math.MaxInt64), f.Number(math.MaxInt64)
	return f.End()
}
