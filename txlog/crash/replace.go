package crash

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/txlog"
)

// replace does what txlog.OS.Replace does, by steps of another Disk; rename is
// that Disk's rename onto a name that may exist.
func replace(d txlog.Disk, rename func(from, to string) error, path string, content func(io.Writer) error) error {
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s%d", filepath.Base(path), os.Getpid()))
	err := writeSynced(d, temp, text.Bytes())
	if err == nil {
		err = rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	//failpoint:replacement-not-synced return nil
	return d.Sync(filepath.Dir(path))
}

func writeSynced(d txlog.Disk, path string, text []byte) error {
	f, err := d.Create(path)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
