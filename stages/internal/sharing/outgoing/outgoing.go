// Package outgoing writes batches for other crawlers of a collaboration, and reads their names.
//
// The batches for the node NODE are in a folder of that name, below the exported queue:
//
//	outgoing/NODE/HASH-TTTTTTTTTTTT-NNNNN.EXT
//
// HASH is the XXH64 (seed 0) of the file, 16 hexadecimal digits in lower case; T the number of the
// transaction that wrote it, 12 digits; N the number of the part, 5 digits, from 1 in each folder
// and run. EXT is warc.gz for a page batch and zst for a URL batch. So the name of a fetched file
// shows whether it is complete. Two different contents never have the same name, even if a crawler
// was created again and counts its transactions from 1.
package outgoing

import (
	"regexp"
	"strconv"
)

// The extensions of batches with pages and with URLs.
const (
	Pages = "warc.gz"
	URLs  = "zst"
)

// A Name has the parts of a batch's name.
type Name struct {
	Sum  uint64 // XXH64 of the file
	Tx   uint64 // the transaction that wrote it
	Part int
	Ext  string // Pages or URLs
}

var form = regexp.MustCompile(`^([0-9a-f]{16})-(\d{12})-(\d{5})\.(warc\.gz|zst)$`)

// ParseName parses the name of a batch. ok is false for every other name, even a hostile one. If ok
// is true, the name is safe to join to a path.
func ParseName(base string) (n Name, ok bool) {
	m := form.FindStringSubmatch(base)
	if m == nil {
		return Name{}, false
	}
	n.Sum, _ = strconv.ParseUint(m[1], 16, 64)
	n.Tx, _ = strconv.ParseUint(m[2], 10, 64)
	n.Part, _ = strconv.Atoi(m[3])
	n.Ext = m[4]
	return n, true
}
