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

// secretFile contains the crawl's secret: 128 random bits in hex, and a newline.
const secretFile = "secret"

// SecretEnv returns the entry of the environment that contains the path of the secret. It returns
// nil if the crawl has no secret, because an earlier version of the manager began it or somebody
// removed the file. Then a stage that needs the secret reports an error.
func (d *Dir) SecretEnv() ([]string, error) {
	info, err := os.Lstat(d.Path(secretFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look for the crawl's secret: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; put the crawl's secret there", d.Path(secretFile))
	}
	return []string{"MT_SECRET=" + d.Path(secretFile)}, nil
}

// makeSecret creates the secret of a new crawl, unless an interrupted earlier start has created it.
// The secret is durable before the log is. So a crawl that has a log but no secret never gets one.
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
