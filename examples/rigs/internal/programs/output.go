// Package programs runs the programs of a folder, for experiments.
package programs

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Output runs the program name of the folder bin to its end and returns what it prints. An error has
// the end of what it said.
func Output(bin, name string, args ...string) ([]byte, error) {
	path, err := filepath.Abs(filepath.Join(bin, name)) // a path without a slash would be looked for in PATH
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", name, err)
	}
	cmd := exec.Command(path, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		text := strings.TrimSpace(said.String())
		return nil, fmt.Errorf("%s: %w; it said %q", name, err, text[max(0, len(text)-500):])
	}
	return out, nil
}
