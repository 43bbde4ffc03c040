package html

import (
	"bytes"

	"multitext/classify/internal/ascii"
)

// index returns the place of the next c, from i on, or the end. Most are near: the first two words
// are looked at here.
func index(p []byte, i int, c byte) int {
	if len(p)-i >= 2*ascii.Size {
		one, two := ascii.At(p, i).Equal(c), ascii.At(p, i+ascii.Size).Equal(c)
		if one|two != 0 {
			n := one.First()
			if one == 0 {
				n += two.First()
			}
			return i + n
		}
		i += 2 * ascii.Size
	}
	if n := bytes.IndexByte(p[i:], c); n >= 0 {
		return i + n
	}
	return len(p)
}

// skipTo returns the place after the next c, or the end.
func skipTo(p []byte, i int, c byte) int {
	return min(index(p, i, c)+1, len(p))
}
