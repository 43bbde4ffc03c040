package source

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// ReadLabels reads a list of labels for URLs: the text before the tab is a URL. Of a URL the last
// line counts. first is the first URL of the list.
func ReadLabels(path string) (all map[string]string, first string, err error) {
	all = map[string]string{}
	err = eachLabel(path, func(name, label string) error {
		if len(all) == 0 {
			first = name
		}
		all[name] = label
		return nil
	})
	return all, first, err
}

// eachLabel calls do with each line of a list of labels.
func eachLabel(path string, do func(name, label string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read labels: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		name, label, ok := strings.Cut(line, "\t")
		if !ok || name == "" || label == "" || strings.Contains(label, "\t") {
			return fmt.Errorf("%s:%d: want a name, a tab and a label, not %.200q", path, n, line)
		}
		if err := do(name, label); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read labels %s: %w", path, err)
	}
	return nil
}
