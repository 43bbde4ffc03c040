package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Copy copies text. It escapes characters that a terminal would interpret or cannot show, except
// line ends and tabs.
func Copy(out *bufio.Writer, src io.Reader) error {
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
			out.WriteString(Printable(string(r)))
		}
	}
}

// Redrawn returns text with the control sequences that draw it over the content of a terminal. The
// text is cut to the size of the terminal, so that it never scrolls.
func Redrawn(text string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > height-1 {
		lines = append(lines[:max(height-2, 0)], "…")
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for _, l := range lines {
		if r := []rune(l); len(r) > width {
			l = string(r[:width])
		}
		b.WriteString(l + "\x1b[K\r\n")
	}
	return b.String() + "\x1b[J"
}
