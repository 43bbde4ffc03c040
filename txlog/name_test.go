package txlog

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The names of batches are exactly those of this expression, of which
// ParseFileName is the quick form: it is called for every name in a log.
var fileForm = regexp.MustCompile(`^([a-zA-Z0-9._]{1,64})-([0-9]{12})-([0-9]{5})(\.[a-zA-Z0-9.]{1,16})?$`)

// What IsFolder lets pass is one component of a path, and the names that it makes
// are names of batches.
func FuzzIsFolder(f *testing.F) {
	folderForm := regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`)
	for _, name := range []string{"arts", "a-b_c.d", "-a", ".", "..", ".a", "a..b", "a/b", "a.", "a\n", "", "A0",
		FileName("m", 12, 1, "zst"), FileName("m", 12, 1, "") + "x", strings.Repeat("a", 64), strings.Repeat("a", 65)} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, folder string) {
		ok := IsFolder(folder)
		if want := folderForm.MatchString(folder) && !strings.Contains(folder, "..") &&
			!fileForm.MatchString(folder); ok != want {
			t.Fatalf("%q: %v, the expression says %v", folder, ok, want)
		}
		name := Name("q/" + folder + "/" + FileName("m", 12, 1, "zst"))
		if ok && (name.check() != nil || name.Queue() != "q" || name.Dir() != "q/"+folder || name.Tx() != 12) {
			t.Errorf("%q: %v, %q, %q, %d", name, name.check(), name.Queue(), name.Dir(), name.Tx())
		}
	})
}

func FuzzParseFileName(f *testing.F) {
	for _, name := range []string{
		FileName("m", 12, 1, "warc.gz"), FileName("m", 1, 99999, ""), "m-000000000012-00001.",
		"m-00000000012-00001.zst",
		"m-000000000012-00001zst", "-000000000012-00001", "a-b-000000000012-00001", "m-+00000000012-00001",
		"m-000000000012-0000_.x",
		strings.Repeat("m", 65) + "-000000000012-00001", "m-000000000012-00001." + strings.Repeat("x", 17),
		"m-000000000012-00001.a/b", "m-000000000012-00001\n",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		tx, part, ext, ok := ParseFileName(name)
		m := fileForm.FindStringSubmatch(name)
		if ok != (m != nil) {
			t.Fatalf("%q: ok is %v, the expression says %v", name, ok, m)
		}
		if ok && (fmt.Sprintf("%012d %05d", tx, part) != m[2]+" "+m[3] || ext != strings.TrimPrefix(m[4], ".")) {
			t.Errorf("%q: %d, %d, %q", name, tx, part, ext)
		}
	})
}
