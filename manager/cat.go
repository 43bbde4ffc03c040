package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/progress"
)

const catHelp = `Prints batches decompressed, told by their first bytes: zstd, gzip, or as they
are. On a terminal control characters are escaped; into a pipe or a file the bytes
go as they are.`

// maxWindow bounds the memory that a zstd frame may ask for.
const maxWindow = 128 << 20

func catVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		if len(args) == 0 {
			return crawl.ExitBad, fmt.Errorf("%w: want at least one file", errUsage)
		}
		out := bufio.NewWriterSize(m.out, 64<<10)
		_, escape := terminal(m.out)
		for _, path := range args {
			if code, err := catFile(out, path, escape); err != nil {
				return code, errors.Join(err, out.Flush())
			}
		}
		if err := out.Flush(); err != nil {
			return crawl.ExitBad, err
		}
		return crawl.ExitDone, nil
	}
}

func catFile(out *bufio.Writer, path string, escape bool) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return crawl.ExitBad, err
	}
	defer f.Close()
	in, done, err := decompressed(f)
	if err == nil {
		defer done()
		if escape {
			err = copyPrintable(out, in)
		} else {
			_, err = io.Copy(out, in)
		}
	}
	if err != nil {
		return crawl.ExitDamaged, fmt.Errorf("print %s: %w", path, err)
	}
	return crawl.ExitDone, nil
}

// decompressed reads through the compression that the first bytes tell of.
func decompressed(src io.Reader) (in io.Reader, done func(), err error) {
	raw := bufio.NewReaderSize(src, 64<<10)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch compression(magic) {
	case "zst":
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	case "gz":
		z, err := gzip.NewReader(raw)
		return z, func() {}, err
	}
	return raw, func() {}, nil
}

// compression tells by the first four bytes how a file is compressed: zst, gz, or
// "" for not at all.
func compression(magic []byte) string {
	switch {
	case bytes.Equal(magic, []byte("\x28\xb5\x2f\xfd")):
		return "zst"
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return "gz"
	}
	return ""
}

// copyPrintable copies text, and escapes what a terminal would act on or cannot
// show, but for line ends and tabs.
func copyPrintable(out *bufio.Writer, src io.Reader) error {
	in := bufio.NewReader(src)
	for {
		r, size, err := in.ReadRune()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case r == '\n' || r == '\t':
			out.WriteByte(byte(r))
		case r == utf8.RuneError && size == 1:
			in.UnreadRune()
			b, _ := in.ReadByte()
			fmt.Fprintf(out, "\\x%02x", b)
		default:
			out.WriteString(progress.Printable(string(r)))
		}
	}
}
