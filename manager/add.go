package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/kind"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/script"
)

const addHelp = `Brings files into a queue, each as a batch, a thousand in a transaction. They are copied,
and keep their extension; they must be what the queue's readers read.

A file that does not look like a batch of the queue is refused: by its extension,
where that is one that the script gives to a queue, or by its first bytes, where
they are of another compression than its name says, or because the program that verifies
the queue's batches (verify in its table) finds fault with it: where there is none,
nobody looks within.

They are copied twice: into the inbox, and from there. Where a running manager has no
room for the second, by the script's [limit] disk, the request waits until it has.

An add that fails, as on a full disk, says whether the files were added, will be by the
next run or verb, or are not. While it waits for that, an add of the same files to the
same queue, in the same order, is taken for the same one, and adds nothing twice; add them
twice on purpose by another -id. What is added under an -id of yours is added once,
however often you ask for it, also after the answer was lost: as long as the crawl's
history goes back to it.` + requestHelp

// isID reports whether a request may have an id: it is a name in the inbox, and a word of
// the log.
func isID(id string) bool {
	return len(id) <= 64 && id[0] != '-' && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func addVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	force := fs.Bool("force", false, "add files that do not look like batches of the queue")
	id := fs.String("id", "", "the request's `name`, of a-z, 0-9 and -: it is carried out once, however often it is asked for")
	return func(args []string) (int, error) {
		if *id != "" && !isID(*id) {
			return crawl.ExitBad, fmt.Errorf("%w: -id %.80q is no name of at most 64 of a-z, 0-9 and -", errUsage, *id)
		}
		if len(args) < 3 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script, a queue and files, got %d arguments", errUsage, len(args))
		}
		q := crawl.Request{Verb: "add", Name: args[1], ID: *id}
		for _, file := range args[2:] {
			abs, err := filepath.Abs(file)
			if err != nil {
				return crawl.ExitBad, err
			}
			info, err := os.Stat(abs)
			if err != nil {
				return crawl.ExitBad, err
			}
			if !info.Mode().IsRegular() || info.Size() == 0 {
				return crawl.ExitBad, fmt.Errorf("%s is empty or no regular file, so it is no batch", file)
			}
			q.Files = append(q.Files, abs)
		}
		if !*force {
			if code, err := m.lookAlike(args[0], q); err != nil {
				return code, err
			}
		}
		return m.ask(args[0], q)
	}
}

// lookAlike refuses files that do not look like batches of the queue.
func (m *invocation) lookAlike(path string, q crawl.Request) (int, error) {
	s, err := view.Script(path, m.vars.list)
	if err != nil {
		return codeOf(err), err
	}
	var errs []error
	for _, file := range q.Files {
		compression, err := compressionOf(file)
		if err != nil {
			return crawl.ExitBad, err
		}
		if err := crawl.LooksLike(s, q.Name, file, compression); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", terminal.Near(file), err))
		}
	}
	if errs == nil {
		if err := lookWithin(s, path, q); err != nil {
			errs = append(errs, err)
		}
	}
	if errs != nil {
		errs = append(errs, errors.New("nothing was added; -force adds all the same"))
	}
	return crawl.ExitBad, errors.Join(errs...)
}

// lookWithin refuses files in which the program that verifies the queue's batches finds fault.
func lookWithin(s *script.Script, path string, q crawl.Request) error {
	formats, err := formatsOf(s, path)
	if err != nil {
		return err
	}
	for _, f := range formats {
		if f.Dir != q.Name {
			continue
		}
		for files := range slices.Chunk(q.Files, lookedAtOnce) {
			exit, said, err := f.Start(s.Dir, s.Folder, files)
			if err != nil {
				return err
			}
			if exit != "" {
				return fmt.Errorf("the program that verifies %s: %s\n%s", f.What, exit, strings.TrimSpace(said))
			}
		}
	}
	return nil
}

// lookedAtOnce bounds the files that one start of a program is given.
const lookedAtOnce = 200

// compressionOf tells a file's compression by its first bytes.
func compressionOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	magic := make([]byte, 4)
	n, err := io.ReadFull(f, magic)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return kind.Compression(magic[:n]), nil
}
