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

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/kind"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const catHelp = `Prints batches decompressed. The first bytes tell how: from zstd, from gzip, or not at
all. BATCH is a file or, after a script (.toml), a batch of its crawl as log, show and
status name it. On a terminal control characters are escaped; a pipe or a file gets the
bytes as they are.`

func catVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	return func(args []string) error {
		files, err := m.batchFiles(args)
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(m.out, 64<<10)
		for _, path := range files {
			if err := catFile(out, path, terminal.Is(m.out)); err != nil {
				return errors.Join(err, out.Flush())
			}
		}
		return out.Flush()
	}
}

// batchFiles finds the files that cat is to print. If the first argument is a script, the others
// may be names of batches in its crawl.
func (m *invocation) batchFiles(args []string) ([]string, error) {
	if len(args) < 2 || filepath.Ext(args[0]) != ".toml" || isBatch(args[0]) {
		return args, nil
	}
	s, err := m.read(args[0])
	if err != nil {
		return nil, err
	}
	var files []string
	for _, arg := range args[1:] {
		name, err := view.BatchName(s.Dir, arg)
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

func catFile(out *bufio.Writer, path string, escape bool) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) && isBatch(path) {
		return fmt.Errorf("%w; a batch goes when all have read it, and manager ls SCRIPT lists those that are there; "+
			"to name it as the crawl does, give the script first: manager cat SCRIPT QUEUE/FILE", err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in, done, err := kind.Reader(f)
	if err == nil {
		defer done()
		if escape {
			err = terminal.Copy(out, in)
		} else {
			_, err = io.Copy(out, in)
		}
	}
	if err != nil {
		return exit(crawl.ExitDamaged, fmt.Errorf("print %s: %w", path, err))
	}
	return nil
}
