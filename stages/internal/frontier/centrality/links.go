package centrality

import "fmt"

// linkFile is the links to the pages of one block. The payload of a frame is records, one for each
// page that has such links, ascending. A record is numbers in groups (group.go):
//
//	the page, less that of the record before; whole in the frame's first record
//	c, the number of pages that it links to in all
//	n, the number of links that follow, 1 or more
//	n targets, ascending, each less the one before; the first less the block's first page
//
// A page whose links to the block do not fit into a frame has a further record in the next one.
type linkFile struct {
	*frames
	n      int    // frames written
	buffer []byte // the next; nil when all are written
	page   uint32 // of the last record in buffer

	numbers []uint32 // of a record
}

// worthRecord is the number of links that are worth a record; for fewer a new frame begins.
const worthRecord = 16

func newLinkFile() (*linkFile, error) {
	f, err := newFrames()
	if err != nil {
		return nil, err
	}
	return &linkFile{frames: f, buffer: make([]byte, frameHead, frameSize)}, nil
}

// add appends links of page, which has c links in all. The targets ascend and count from the
// block's first page.
func (f *linkFile) add(page, c uint32, targets []uint32) error {
	for len(targets) > 0 {
		groups := (frameHead + maxPayload - len(f.buffer)) / maxGroup
		n := min(len(targets), groups*groupOf-3)
		if n < min(len(targets), worthRecord) {
			if err := f.flush(); err != nil {
				return err
			}
			continue
		}
		f.record(page, c, targets[:n])
		targets = targets[n:]
	}
	return nil
}

func (f *linkFile) record(page, c uint32, targets []uint32) {
	f.numbers = append(f.numbers[:0], page-f.page, c, uint32(len(targets)))
	last := uint32(0)
	for _, t := range targets {
		f.numbers = append(f.numbers, t-last)
		last = t
	}
	f.buffer, f.page = appendGroups(f.buffer, f.numbers...), page
}

// flush writes the frame that is begun.
func (f *linkFile) flush() error {
	if len(f.buffer) <= frameHead {
		return nil
	}
	if err := f.write(f.n, f.buffer); err != nil {
		return err
	}
	f.n, f.page, f.buffer = f.n+1, 0, f.buffer[:frameHead]
	return nil
}

// finish writes what is left and lets go of the memory.
func (f *linkFile) finish() error {
	err := f.flush()
	f.buffer = nil
	return err
}

// each calls do with the records of each frame, in order; r is memory for them. Targets are less than size.
func (f *linkFile) each(size uint64, r *records, do func() error) error {
	for i := range f.n {
		payload, err := f.read(i, r.frame)
		if err != nil {
			return err
		}
		if !r.take(payload, size) {
			return fmt.Errorf("%w: frame %d of %s has a wrong record", errDamaged, i, f.file.Name())
		}
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// share adds to the sum of each target its part of the value of the pages that link to it; part
// makes it of the value, and of the number of pages that the page links to.
func (f *linkFile) share(sums []float64, values *vector, part func(value float64, c uint32) float64, r *records) error {
	return f.each(uint64(len(sums)), r, func() error {
		begin := uint32(0)
		for j, end := range r.ends {
			value, err := values.at(r.pages[j])
			if err != nil {
				return err
			}
			part := part(float64(value), r.c[j])
			for _, t := range r.targets[begin:end] {
				sums[t] += part
			}
			begin = end
		}
		return nil
	})
}

// gather calls do with each page that has a record, ascending, and the sum of the values of its
// targets.
func (f *linkFile) gather(values []float64, r *records, do func(page uint32, sum float64) error) error {
	page, sum, begun := uint32(0), 0.0, false
	err := f.each(uint64(len(values)), r, func() error {
		begin := uint32(0)
		for j, end := range r.ends {
			if begun && r.pages[j] != page { // a page may have a further record in the next frame
				if err := do(page, sum); err != nil {
					return err
				}
				sum = 0
			}
			page, begun = r.pages[j], true
			for _, t := range r.targets[begin:end] {
				sum += values[t]
			}
			begin = end
		}
		return nil
	})
	if err != nil || !begun {
		return err
	}
	return do(page, sum)
}
