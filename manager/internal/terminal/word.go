package terminal

import (
	"fmt"
	"strings"
)

// Word quotes a word that bash would split or expand, so that nothing in it reaches a terminal raw.
// It keeps line ends, because a script's shell text contains them.
func Word(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	if lines := strings.ReplaceAll(w, "\n", ""); Printable(lines) == lines {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}
