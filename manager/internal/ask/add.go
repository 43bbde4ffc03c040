package ask

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/kind"
	"multitext/manager/internal/programs"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/verify"
)

// IsID reports whether id is a valid id of a request. The id becomes a file name in the inbox and a
// word of the log.
func IsID(id string) bool {
	return id != "" && len(id) <= 64 && id[0] != '-' && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// Add adds files to a queue. Unless force is set, it refuses files that do not look like batches of
// the queue.
func (a *Asker) Add(queue, id string, files []string, force bool) error {
	q := crawl.Request{Verb: "add", Name: queue, ID: id}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		info, err := os.Stat(abs)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return fmt.Errorf("%s is empty or not a regular file, so it cannot be a batch", file)
		}
		q.Files = append(q.Files, abs)
	}
	if !force {
		if err := a.lookAlike(q); err != nil {
			return fmt.Errorf("%w\nnothing was added; -force adds the files anyway", err)
		}
	}
	return a.Ask(q)
}

// lookAlike returns an error if some files do not look like batches of the queue.
func (a *Asker) lookAlike(q crawl.Request) error {
	var errs []error
	for _, file := range q.Files {
		compression, err := kind.OfFile(file)
		if err != nil {
			return err
		}
		if err := crawl.LooksLike(a.Script, q.Name, file, compression); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", terminal.Near(file), err))
		}
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	return a.lookWithin(q)
}

// lookWithin returns an error if the program that verifies the queue's batches rejects some files.
func (a *Asker) lookWithin(q crawl.Request) error {
	formats, err := programs.Verifiers(a.Script)
	if err != nil {
		return err
	}
	for _, f := range formats {
		if f.Dir != q.Name {
			continue
		}
		for files := range slices.Chunk(q.Files, verify.AtOnce) {
			exit, said, err := f.Start(a.Script.Dir, a.Script.Folder, files)
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
