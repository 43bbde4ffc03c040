package txlog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Name is the name of a batch or segment: the directory it belongs to and the
// file in it, as in "frontier/m-000000000012-00001.zst". The transaction that
// made the file is its suffix (thesis, section 3.2.1), before the extension so
// that zcat and WARC tools take it as it is.
type Name string

var fileForm = regexp.MustCompile(`^([a-zA-Z0-9._]{1,64})-([0-9]{12})-([0-9]{5})(\.[a-zA-Z0-9.]{1,16})?$`)

// FileName composes NAME-TTTTTTTTTTTT-NNNNN.EXT; ext may be empty.
func FileName(name string, tx uint64, part int, ext string) string {
	if ext != "" {
		ext = "." + ext
	}
	return fmt.Sprintf("%s-%012d-%05d%s", name, tx, part, ext)
}

// TxDir is the directory of a transaction under work/.
func TxDir(tx uint64) string { return fmt.Sprintf("%012d", tx) }

// ParseFileName takes a file name apart. ok is false for any name that the log
// would never have given.
func ParseFileName(file string) (tx uint64, part int, ext string, ok bool) {
	m := fileForm.FindStringSubmatch(file)
	if m == nil {
		return 0, 0, "", false
	}
	tx, err := strconv.ParseUint(m[2], 10, 64)
	if err != nil {
		return 0, 0, "", false
	}
	part, _ = strconv.Atoi(m[3])
	return tx, part, strings.TrimPrefix(m[4], "."), true
}

// Dir is the queue or state that the file belongs to.
func (n Name) Dir() string {
	dir, _ := n.split()
	return dir
}

// File is the name within its directory.
func (n Name) File() string {
	_, file := n.split()
	return file
}

// Tx is the transaction that made the file.
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
	if _, _, _, ok := ParseFileName(file); !ok || dir == "" || strings.Contains(dir, "..") || strings.HasPrefix(dir, "/") {
		return fmt.Errorf("%q is no name of a batch", string(n))
	}
	return nil
}
