package peek

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"unicode/utf8"
)

// A Line is a line of a file, without its end.
type Line struct {
	N    int // counted from 1
	Text string
	Cut  bool // it goes on
}

// An Excerpt is a part of a file.
type Excerpt struct {
	Lines []Line
	Next  int    // the number of the next line; 0 if the file ends here
	Stop  string // why fewer lines are shown than were asked for; "" if nothing was in the way
	Dump  string // the first bytes, as hexdump prints them, if the file is no text
}

// The bounds of what an excerpt shows.
const (
	width  = 2000 // bytes of a line
	dumped = 512  // bytes of a file that is no text
)

// Lines returns n lines of a file from a line on. It decompresses the file.
func Lines(file io.Reader, from, n int, l Limits) (*Excerpt, error) {
	b, err := newBounded(file, l)
	if err != nil {
		return nil, err
	}
	defer b.done()
	in, out := bufio.NewReaderSize(b, 64<<10), &Excerpt{}
	if head, _ := in.Peek(dumped); isBinary(head) {
		out.Dump = hex.Dump(head)
		return out, nil
	}
	for number := 1; ; number++ {
		line, err := readLine(in, number)
		if line.Text != "" || line.Cut || err == nil {
			if len(out.Lines) == n {
				out.Next = number
				return out, nil
			}
			if number >= from {
				out.Lines = append(out.Lines, line)
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return out, nil
		case errors.Is(err, errEnough):
			out.Stop = "Reading stopped " + b.far() + "."
			return out, nil
		default:
			out.Stop = "It cannot be read any further, " + b.far() + ": " + err.Error()
			return out, nil
		}
	}
}

// readLine reads up to the end of a line and keeps its beginning. With an error it returns what it
// has read before.
func readLine(in *bufio.Reader, number int) (Line, error) {
	line := Line{N: number}
	var kept []byte
	for {
		part, err := in.ReadSlice('\n')
		if err == nil {
			part = bytes.TrimSuffix(part[:len(part)-1], []byte("\r"))
		}
		if room := width - len(kept); len(part) > room {
			part, line.Cut = part[:room], true
		}
		kept = append(kept, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			line.Text = whole(kept, line.Cut)
			return line, err
		}
	}
}

// whole returns text without a character that was cut in the middle.
func whole(text []byte, cut bool) string {
	for n := 1; cut && n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n:]; utf8.RuneStart(c[0]) {
			if !utf8.FullRune(c) {
				text = text[:len(text)-n]
			}
			break
		}
	}
	return string(text)
}

// isBinary reports whether the beginning of a file is no text: it contains bytes 0, or many that
// are no UTF-8.
func isBinary(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	wrong := 0
	for i := 0; i < len(head); {
		c, size := utf8.DecodeRune(head[i:])
		if c == utf8.RuneError && size == 1 {
			wrong++
		}
		i += size
	}
	return wrong > len(head)/10
}
