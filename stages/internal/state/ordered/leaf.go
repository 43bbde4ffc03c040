package ordered

// leaf is a place in one segment, on which a Cursor stands.
type leaf struct {
	reader  *reader
	age     int  // its place in the set: the larger, the newer
	checked bool // blocks are compared with their checksums, keys with those in front
	leaves  bool // what is behind it leaves memory
	from    int  // block where what is in memory begins
	block   int  // -1: in front of the first
	x       opened
	i       int // entry of the block
	key     Key // of that entry
	end     bool
}

// next goes to the next entry.
func (l *leaf) next() error {
	last := l.key
	l.i++
	if err := l.settle(); err != nil {
		return err
	}
	if l.checked && !l.end && !last.Less(l.key) {
		return l.reader.Damaged("key %v behind %v", l.key, last)
	}
	return nil
}

// settle goes on to the next block if the leaf is behind the end of its own, and reads the key.
func (l *leaf) settle() error {
	if l.i == l.x.n {
		if l.block+1 == l.reader.blocks() {
			l.end = true
			return nil
		}
		if err := l.open(l.block + 1); err != nil {
			return err
		}
	}
	l.key = l.x.at(l.i)
	return nil
}

// leaveBlocks is how many blocks leave memory at a time.
const leaveBlocks = 128

// open goes to the first entry of a block.
func (l *leaf) open(block int) error {
	l.block, l.i = block, 0
	if l.leaves && block-l.from >= leaveBlocks {
		if err := l.reader.leave(l.from, block); err != nil {
			return err
		}
		l.from = block
	}
	if l.checked {
		return l.reader.checkedBlock(block, &l.x)
	}
	return l.reader.block(block, &l.x)
}

// seek goes forward to the first entry whose key is not below key. It looks near the place where it
// is first: at distances that double.
func (l *leaf) seek(key Key) error {
	if block := l.blockOf(key); block > l.block {
		if err := l.open(block); err != nil {
			return err
		}
	}
	step := 1
	for l.i+step < l.x.n && l.x.at(l.i+step).Less(key) {
		l.i += step
		step *= 2
	}
	l.i = l.x.find(key, l.i, min(l.i+step, l.x.n))
	return l.settle()
}

// blockOf returns the block where key is, or should be, if that is not in front of the leaf's.
func (l *leaf) blockOf(key Key) int {
	blocks, from, step := l.reader.blocks(), l.block, 1
	if from < 0 {
		return l.reader.blockOf(key, from, blocks)
	}
	for from+step < blocks && !key.Less(l.reader.first(from+step)) {
		from += step
		step *= 2
	}
	return l.reader.blockOf(key, from, min(from+step, blocks))
}
