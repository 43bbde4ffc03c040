package workdir

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// secretFile holds the crawl's secret: 128 random bits in hex, and a newline.
const secretFile = "secret"

// SecretEnv is the entry of the environment that tells a program where the secret is. It is nil if
// the crawl has none, because an earlier manager began it or somebody removed the file. Then a
// stage that needs the secret says so.
func (d *Dir) SecretEnv() ([]string, error) {
	info, err := os.Lstat(d.Path(secretFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look for the crawl's secret: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file; put the crawl's secret there", d.Path(secretFile))
	}
	return []string{"MT_SECRET=" + d.Path(secretFile)}, nil
}

// makeSecret makes the secret of a new crawl, unless a start that was cut off before it had made
// the log made one. The secret is durable before the log is: a log without a secret is that of a
// crawl without one, for ever.
func (d *Dir) makeSecret() error {
	path := d.Path(secretFile)
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.Disk.Replace(path, func(w io.Writer) error {
			secret := make([]byte, 16)
			rand.Read(secret)
			_, err := io.WriteString(w, hex.EncodeToString(secret)+"\n")
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("make the crawl's secret: %w", err)
	}
	return nil
}
