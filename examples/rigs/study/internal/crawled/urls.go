package crawled

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// longestLine bounds a line of a batch of URLs.
const longestLine = 1 << 16

// Reasons counts the URLs in a folder of batches by the reason that stands with them: a line is a
// URL and, with tabs between, attributes.
func Reasons(folder string) (map[string]int, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.zst"))
	if err != nil {
		return nil, fmt.Errorf("read batches of URLs: %w", err)
	}
	reasons := make(map[string]int)
	for _, file := range files {
		if err := countReasons(file, reasons); err != nil {
			return nil, fmt.Errorf("read batches of URLs: %s: %w", file, err)
		}
	}
	return reasons, nil
}

func countReasons(file string, reasons map[string]int) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer z.Close()
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, longestLine+1)
	for lines.Scan() {
		for _, attribute := range strings.Split(lines.Text(), "\t")[1:] {
			if reason, ok := strings.CutPrefix(attribute, "reason="); ok {
				reasons[reason]++
			}
		}
	}
	return lines.Err()
}
