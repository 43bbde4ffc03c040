package txlog

import (
	"fmt"
	"strconv"
	"strings"
)

// A Name is the name of a batch or segment: its directory and its file, as in
// "frontier/m-000000000012-00001.zst". The suffix contains the transaction that wrote the file
// (thesis, section 3.2.1). It comes before the extension, so that zcat and WARC tools accept the
// file. A batch for other machines may be in a folder of its queue, as in
// "outgoing/arts/m-000000000012-00001.zst".
type Name string

// FileName returns NAME-TTTTTTTTTTTT-NNNNN.EXT; ext may be empty.
func FileName(name string, tx uint64, part int, ext string) string {
	if ext != "" {
		ext = "." + ext
	}
	return fmt.Sprintf("%s-%012d-%05d%s", name, tx, part, ext)
}

// TxDir returns the name of a transaction's directory under work/.
func TxDir(tx uint64) string { return fmt.Sprintf("%012d", tx) }

// ParseFileName splits a file name into its parts. ok is false if FileName cannot return the name.
func ParseFileName(file string) (tx uint64, part int, ext string, ok bool) {
	name, rest, _ := strings.Cut(file, "-")
	if len(name) < 1 || len(name) > 64 || !only(name, "._") || len(rest) < len("TTTTTTTTTTTT-NNNNN") ||
		rest[12] != '-' {
		return 0, 0, "", false
	}
	tx, err1 := strconv.ParseUint(rest[:12], 10, 64)
	n, err2 := strconv.ParseUint(rest[13:18], 10, 64)
	ext, dotted := strings.CutPrefix(rest[18:], ".")
	if err1 != nil || err2 != nil || dotted != (ext != "") || len(ext) > 16 || !only(ext, ".") {
		return 0, 0, "", false
	}
	return tx, int(n), ext, true
}

// IsFolder reports whether an exported queue may have a folder with this name: a letter or digit,
// then letters, digits, dots, _ and -, at most 64 characters, without two dots in a row. It must
// not be the name of a batch, because the two would have the same path.
func IsFolder(name string) bool {
	if name == "" || len(name) > 64 || !only(name, "._-") || !only(name[:1], "") || strings.Contains(name, "..") {
		return false
	}
	_, _, _, batch := ParseFileName(name)
	return !batch
}

// only reports whether a text consists of ASCII letters and digits and the other given characters.
func only(text, others string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

// Queue returns the queue of a batch.
func (n Name) Queue() string {
	queue, _, _ := strings.Cut(string(n), "/")
	return queue
}

// Dir returns the directory of the file: that of its queue or state, or a folder of the queue.
func (n Name) Dir() string {
	dir, _ := n.split()
	return dir
}

// File returns the file name without its directory.
func (n Name) File() string {
	_, file := n.split()
	return file
}

// Tx returns the transaction that wrote the file.
func (n Name) Tx() uint64 {
	tx, _, _, _ := ParseFileName(n.File())
	return tx
}

func (n Name) split() (dir, file string) {
	i := strings.LastIndexByte(string(n), '/')
	if i < 0 {
		return "", string(n)
	}
	return string(n[:i]), string(n[i+1:])
}

func (n Name) check() error {
	dir, file := n.split()
	if _, _, _, ok := ParseFileName(file); !ok || dir == "" || strings.Contains(dir, "..") ||
		strings.HasPrefix(dir, "/") {
		return fmt.Errorf("%q is not a name of a batch", string(n))
	}
	return nil
}
