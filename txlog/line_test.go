package txlog

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// refused are bodies that are nearly right.
func refused() []string {
	return []string{"", "commit", "commit\t", "commit\ttx", "commit\ttx=\tread=1", "commit\ttx=1", "commit\tread=1",
		"commit\tread=1\ttx=1",
		"commit\ttx=18446744073709551616\tread=1", "commit\ttx=1\tcpu_us=1e3\tread=1", "commit\ttx=1 \tread=1",
		"commit\ttx=1x\tread=1",
		"commit\ttx=1\tmem=12 3\tread=1", "commit\ttx=1\tread=1\tread=1",
		"commit\ttx=1\tstart=2026-02-29T00:00:00.000Z\tread=1",
		"commit\ttx=1\tstart=2026-03-31T01:23:45.678Zx\tread=1", "commit\ttx=1\tstart=2026-13-01T00:00:00.000Z\tread=1",
		"commit\ttx=1\tread=1\tin=a/m-000000000001-00001 5 gone more",
		"commit\ttx=1\tread=1\tin=a/m-000000000001-00001 5",
		"commit\ttx=1\tread=1\tin=- 5 gone", "commit\ttx=1\tread=1\tin=a/m-000000000001-00001 5 moved",
		"commit\ttx=1\tread=1\tout=a/m-000000000001-00001.zst 1 aa - made,export -",
		"commit\ttx=1\tread=1\tout=a/m-000000000001-00001.zst 1 aa 7 made, -",
		"commit\ttx=1\tread=1\tgone=a/../m-000000000001-00001", "commit\ttx=1\tread=1\tgone=-",
		"commit\ttx=1\tread=1\tnote=%", "commit\ttx=1\tread=1\tnote=a%1", "commit\ttx=1\tread=1\tnote=%1g",
		"commit\ttx=1\tread=1\tnote=%+1",
		"commit\ttx=1\tread=1\tnote=a b", "commit\ttx=1\tread=1\tstderr=a b", "commit\ttx=1\tread=1\twas=a",
		"abort\ttx=1\twhy=x\trow=2\trest=2026-01-28T10:11:12.013Z\tx=y",
		"abort\ttx=1\tmark=a/m-000000000001-00001 s 1 2 - x", "batch\tfile=a"}
}

func TestLinesThatAreRefused(t *testing.T) {
	for _, body := range refused() {
		if r, err := decode([]byte(body)); err == nil {
			t.Errorf("%q is read as %+v", body, r)
		}
	}
}

// What is read of a line is written as a line that is read and written as the same, and a
// line that this package wrote is written the same again.
func FuzzLine(f *testing.F) {
	for _, r := range slices.Concat(story(), resetStory(), partStory(), exportStory(), wasStory(), toldStory()) {
		f.Add(string(encode(r)))
		if again, err := decode(encode(r)); err != nil || !bytes.Equal(encode(again), encode(r)) {
			f.Errorf("%s is read as\n%+v, %v", encode(r), again, err)
		}
	}
	for _, body := range append(refused(), "commit\ttx=+1\tstart=-\trun=\tread=-0\tnote=%41%0a%0A%2d\treset=- copy") {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Contains(body, "\n") {
			return
		}
		r, err := decode([]byte(body))
		if err != nil {
			return
		}
		if again, err := decode(encode(r)); err != nil || !bytes.Equal(encode(again), encode(r)) {
			t.Errorf("%q is read as\n%+v, written and read again as\n%+v, %v", body, r, again, err)
		}
	})
}
