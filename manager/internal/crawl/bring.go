package crawl

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"multitext/txlog"
)

// carry copies files from outside into the work directory of a transaction, durably. The function
// one copies a single file. The files keep their extension, because stages recognize formats by
// content.
func (st *Store) carry(rec *txlog.Commit, queue string, files []string,
	one func(i int, to string) (txlog.Output, error)) error {
	tx, err := st.Dir.Begin(rec.Tx, []string{queue}, "")
	if err != nil {
		return err
	}
	var names []txlog.Name
	for i, file := range files {
		name := txlog.Name(queue + "/" + txlog.FileName("m", rec.Tx, i+1, extension(file)))
		o, err := one(i, filepath.Join(tx.Path, string(name)))
		if err != nil {
			return fmt.Errorf("add %s to %s: %w", filepath.Base(file), queue, err)
		}
		if o.Size == 0 {
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is empty", filepath.Base(file)))
			continue
		}
		o.Name = name
		rec.Outputs = append(rec.Outputs, o)
		names = append(names, name)
	}
	return tx.Seal(names)
}

// copyIn copies a file of the user into the crawl's directory.
func copyIn(disk txlog.Disk, in io.Reader, to string) (txlog.Output, error) {
	out, err := disk.Create(to)
	if err != nil {
		return txlog.Output{}, err
	}
	sum := xxhash.New()
	n, err := io.Copy(io.MultiWriter(out, sum), in)
	return txlog.Output{Size: n, Records: -1, Hash: fmt.Sprintf("%016x", sum.Sum64())}, errors.Join(err, out.Close())
}
