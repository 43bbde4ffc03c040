package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/kind"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const catHelp = `Prints batches decompressed, told by their first bytes: zstd, gzip, or as they
are. BATCH is a file, or, behind a script (.toml), a batch of its crawl as log, show
and status name it. On a terminal control characters are escaped; into a pipe or a file the bytes
go as they are.`

// maxWindow bounds the memory that a zstd frame may ask for.
const maxWindow = 128 << 20

func catVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		args, err := m.batchFiles(args)
		if err != nil {
			return codeOf(err), err
		}
		out := bufio.NewWriterSize(m.out, 64<<10)
		escape := terminal.Is(m.out)
		for _, path := range args {
			if code, err := catFile(out, path, escape); err != nil {
				return code, errors.Join(err, out.Flush())
			}
		}
		if err := out.Flush(); err != nil {
			return crawl.ExitBad, err
		}
		return crawl.ExitDone, nil
	}
}

// batchFiles finds the files that cat is to print. The first argument may be a script: then those
// behind it may be names of batches in its crawl.
func (m *invocation) batchFiles(args []string) ([]string, error) {
	if len(args) < 2 || filepath.Ext(args[0]) != ".toml" || isBatch(args[0]) {
		if len(args) == 0 {
			return nil, fmt.Errorf("%w: want at least one batch", errUsage)
		}
		return args, nil
	}
	s, err := view.Script(args[0], m.vars.list)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, arg := range args[1:] {
		name, err := batchName(s.Dir, arg)
		if err != nil {
			return nil, err
		}
		path, err := workdir.Where(s.Dir, name)
		if err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// isBatch reports whether a file has the name of a batch.
func isBatch(file string) bool {
	_, _, _, ok := txlog.ParseFileName(filepath.Base(file))
	return ok
}

func catFile(out *bufio.Writer, path string, escape bool) (int, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && isBatch(path) {
		return crawl.ExitBad, fmt.Errorf("%w; a batch goes when all have read it, and manager ls SCRIPT lists those that are there; "+
			"by its name in the crawl it is found behind the script: manager cat SCRIPT QUEUE/FILE", err)
	}
	if err != nil {
		return crawl.ExitBad, err
	}
	defer f.Close()
	in, done, err := decompressed(f)
	if err == nil {
		defer done()
		if escape {
			err = terminal.Copy(out, in)
		} else {
			_, err = io.Copy(out, in)
		}
	}
	if err != nil {
		return crawl.ExitDamaged, fmt.Errorf("print %s: %w", path, err)
	}
	return crawl.ExitDone, nil
}

// decompressed reads through the compression that the first bytes tell of.
func decompressed(src io.Reader) (in io.Reader, done func(), err error) {
	raw := bufio.NewReaderSize(src, 64<<10)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch kind.Compression(magic) {
	case "zst":
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	case "gz":
		z, err := gzip.NewReader(raw)
		return z, func() {}, err
	}
	return raw, func() {}, nil
}
