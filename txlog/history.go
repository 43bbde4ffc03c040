package txlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A Position is a place in the history of a crawl from which reading can continue.
type Position struct {
	Generation uint64
	Records    int // the number of records of this generation that were read
}

// Trim deletes the oldest sealed logs until the rest have at most keep bytes. It never deletes the
// newest, because that distinguishes an older copy of the log from the current one.
func (l *Log) Trim(keep int64) error {
	generations, err := Sealed(l.dir)
	if err != nil {
		return fmt.Errorf("list the sealed logs: %w", err)
	}
	for i, g := range slices.Backward(generations) {
		path := sealed(l.dir, g)
		info, err := os.Lstat(path)
		if err != nil {
			return fmt.Errorf("stat a sealed log: %w", err)
		}
		if keep -= info.Size(); keep < 0 && i < len(generations)-1 {
			if err := l.disk.Remove(path); err != nil {
				return fmt.Errorf("remove a sealed log: %w", err)
			}
		}
	}
	return nil
}

func sealed(dir string, generation uint64) string {
	return filepath.Join(dir, HistoryDir, fmt.Sprintf("log-%06d.zst", generation))
}

// History passes every record after pos to each, oldest first, from the sealed logs and then from
// the current log. It returns the position where it ended. If torn is not nil, History calls it
// with the number of a sealed generation that ends in a torn line. History takes no lock, so it may
// be called while a manager appends: an incomplete line counts as not yet written.
func History(dir string, pos Position, each func(Record) error, torn func(generation uint64)) (Position, error) {
	if pos.Generation == 0 {
		first, err := firstGeneration(dir)
		if err != nil {
			return pos, err
		}
		pos.Generation = first
	}
	for {
		current, err := readGeneration(dir, &pos, each, torn)
		if err != nil || current {
			return pos, err
		}
	}
}

// readGeneration reads the records of one generation after pos and moves pos to their end. It
// reports whether that generation is still being written.
func readGeneration(dir string, pos *Position, each func(Record) error, torn func(uint64)) (current bool, err error) {
	src, err := openSealed(sealed(dir, pos.Generation))
	if errors.Is(err, os.ErrNotExist) {
		src, err = os.Open(filepath.Join(dir, LogFile))
		current = true
	}
	if err != nil {
		return false, err
	}
	defer src.Close()
	n := 0
	rp, err := open(src)
	if err == nil {
		rp.scan, rp.grows = true, current
	}
	if err == nil && rp.State.generation != pos.Generation {
		return skipTo(dir, pos, rp.State.generation)
	}
	if err == nil {
		err = rp.read(func(r Record) error {
			if n++; n <= pos.Records {
				return nil
			}
			return each(r)
		})
	}
	if err != nil {
		return false, err
	}
	if pos.Records = n; current {
		return true, nil
	}
	if rp.Torn != nil && torn != nil {
		torn(pos.Generation)
	}
	*pos = Position{Generation: pos.Generation + 1}
	return false, nil
}

// ReadSealed reads one generation of the history: it calls each with each record and the state
// before it. An incomplete last line does not count. The error wraps fs.ErrNotExist if the
// generation was deleted.
func ReadSealed(dir string, generation uint64, each func(*State, Record) error) error {
	src, err := openSealed(sealed(dir, generation))
	if err != nil {
		return err
	}
	defer src.Close()
	rp, err := open(src)
	if err == nil {
		err = rp.checkpoint()
	}
	if err == nil {
		err = rp.read(func(r Record) error { return each(rp.State, r) })
	}
	if err != nil {
		return fmt.Errorf("generation %d of the log: %w", generation, err)
	}
	return nil
}

// Scan reads one generation, of the history or the current log, without its state, in a part of the
// time and memory: it calls batch, which may be nil, with each live batch of the checkpoint, and
// each with each record. An incomplete last line does not count. The error wraps fs.ErrNotExist if
// the generation was deleted.
func Scan(dir string, generation uint64, batch func(*Batch) error, each func(Record) error) error {
	src, rp, err := openGeneration(dir, generation)
	if err != nil {
		return fmt.Errorf("generation %d of the log: %w", generation, err)
	}
	defer src.Close()
	rp.scan, rp.batch = true, batch
	if err := rp.read(each); err != nil {
		return fmt.Errorf("generation %d of the log: %w", generation, err)
	}
	return nil
}

// openGeneration opens the current log if it has the generation, and otherwise its sealed file. In
// this order nothing is missed that is sealed meanwhile.
func openGeneration(dir string, generation uint64) (io.ReadCloser, *Replay, error) {
	src, err := os.Open(filepath.Join(dir, LogFile))
	if err == nil {
		rp, err := open(src)
		if err == nil && rp.State.generation == generation {
			rp.grows = true
			return src, rp, nil
		}
		src.Close()
		if err != nil {
			return nil, nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	old, err := openSealed(sealed(dir, generation))
	if err != nil {
		return nil, nil, err
	}
	rp, err := open(old)
	if err != nil {
		old.Close()
		return nil, nil, err
	}
	return old, rp, nil
}

// skipTo decides what to read if the current log has another generation than the wanted one. There
// are three cases: the wanted one is not begun yet and its predecessor is sealed; it was sealed
// between the two opens; or somebody deleted it from history. skipTo reports whether there is
// nothing more to read for now.
func skipTo(dir string, pos *Position, current uint64) (end bool, err error) {
	if current+1 == pos.Generation && pos.Records == 0 {
		return true, nil
	}
	if _, err := os.Stat(sealed(dir, pos.Generation)); !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	wanted := pos.Generation
	if current < wanted {
		return false, fmt.Errorf("%s: the log is of generation %d, want %d: another crawl has replaced it", dir,
			current, wanted)
	}
	generations, err := Sealed(dir)
	if err != nil {
		return false, err
	}
	*pos = Position{Generation: current}
	for _, g := range slices.Backward(generations) {
		if g > wanted && g < current {
			pos.Generation = g
		}
	}
	return false, nil
}

type zstdFile struct {
	*zstd.Decoder
	file *os.File
}

func (z zstdFile) Close() error {
	z.Decoder.Close()
	return z.file.Close()
}

func openSealed(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return zstdFile{z, f}, nil
}

// firstGeneration returns the oldest generation that still exists.
func firstGeneration(dir string) (uint64, error) {
	generations, err := Sealed(dir)
	if err != nil {
		return 0, err
	}
	if len(generations) > 0 {
		return generations[0], nil
	}
	rp, err := Load(filepath.Join(dir, LogFile))
	if err != nil {
		return 0, err
	}
	return rp.State.generation, nil
}
