package ordered

import (
	"cmp"
	"fmt"
)

// Key is a key of 128 bits. Keys are ordered by Hi, equal ones by Lo.
type Key struct{ Hi, Lo uint64 }

// Compare returns -1, 0 or 1 as k is below b, equal to it or above.
func (k Key) Compare(b Key) int {
	if k.Hi != b.Hi {
		return cmp.Compare(k.Hi, b.Hi)
	}
	return cmp.Compare(k.Lo, b.Lo)
}

// Less reports whether k is below b.
func (k Key) Less(b Key) bool { return k.Hi < b.Hi || k.Hi == b.Hi && k.Lo < b.Lo }

func (k Key) String() string { return fmt.Sprintf("%016x:%016x", k.Hi, k.Lo) }
