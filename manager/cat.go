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

const catHelp = `Prints the decompressed content of batches. The first bytes of a batch determine its
compression: zstd, gzip or none. BATCH is the path of a file. If the first argument is a
script (.toml), BATCH is a name in its crawl, as log, show and status print it. On a
terminal cat escapes control characters; it writes unchanged bytes to a pipe or a file.`

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

// batchFiles returns the paths of the files to print. If the first argument is a script, the others
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
		return fmt.Errorf("%w; a batch is deleted when all readers have read it; manager ls SCRIPT lists the others; "+
			"to use the name that the crawl uses, give the script first: manager cat SCRIPT QUEUE/FILE", err)
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
