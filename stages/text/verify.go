package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
)

// verify checks a file that this stage has written: as WET if its name ends in .warc.gz or .wet.gz,
// else as JSONL.
func verify(ctx context.Context, env *stage.Env, path string) error {
	if isWET(path) {
		return warc.Verify(ctx, path, env.Stdin)
	}
	in := env.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("open texts: %w", err)
		}
		defer f.Close()
		in = f
	}
	n := 0
	err := eachLine(in, func(*Line) error {
		n++
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("%s:%d: %w", path, n+1, err)
	}
	return nil
}

func isWET(path string) bool {
	return strings.HasSuffix(path, ".warc.gz") || strings.HasSuffix(path, ".wet.gz")
}

// maxLine is the maximum length of a line that is read: the text of a page of warc.MaxRecord bytes,
// escaped, is shorter.
const maxLine = 8 * warc.MaxRecord

// eachLine calls do with each line of JSONL, which may be compressed with zstd or gzip.
func eachLine(in io.Reader, do func(*Line) error) error {
	plain, _, err := urlbatch.Inflate(bufio.NewReader(in))
	if err != nil {
		return err
	}
	defer plain.Close()
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var l Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return err
		}
		if err := l.check(); err != nil {
			return err
		}
		if err := do(&l); err != nil {
			return err
		}
	}
	return lines.Err()
}
