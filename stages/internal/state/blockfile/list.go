package blockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Paths returns the files of a state, oldest first, that the file list names, one path a line. An
// empty name, a missing file and an empty one are the empty state.
func Paths(list string) (paths []string, err error) {
	if list == "" {
		return nil, nil
	}
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of segments: %w", err)
	}
	for path := range strings.Lines(string(text)) {
		if path = strings.TrimSpace(path); path != "" {
			paths = append(paths, path)
		}
	}
	return paths, nil
}
