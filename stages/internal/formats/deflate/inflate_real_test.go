package deflate

import (
	"bytes"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// TestInflateRealPages holds that what an archive's members hold comes out, at the level of the
// archive and at those of others.
func TestInflateRealPages(t *testing.T) {
	var z Inflater
	var m Member
	for i, page := range pages(t, 60) {
		raw := zipped(t, page, []int{1, 6, 9}[i%3], nil)
		err := m.Open(raw)
		if err == nil {
			err = z.All(&m, len(page))
		}
		if err != nil || !bytes.Equal(m.Plain, page) {
			t.Fatalf("page %d: %v", i, err)
		}
	}
}

// benchmarkPages does something with every of some hundred real pages as an archive has them; a
// turn of the loop is all of them. It goes by the processor's time, which others on the machine
// change least.
func benchmarkPages(b *testing.B, do func(raw []byte)) {
	var raws [][]byte
	size := 0
	for _, page := range pages(b, 40) {
		raws = append(raws, zipped(b, page, 1, nil))
		size += len(page)
	}
	before := used(b)
	for b.Loop() {
		for _, raw := range raws {
			do(raw)
		}
	}
	b.ReportMetric(float64(b.N)*float64(size)/1e6/(used(b)-before).Seconds(), "MB/cpu-s")
}

// used gives the time that the processor has spent on this process.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkInflate(b *testing.B) {
	b.Run("this", func(b *testing.B) {
		var z Inflater
		var m Member
		benchmarkPages(b, func(raw []byte) {
			err := m.Open(raw)
			if err == nil {
				err = z.All(&m, 1<<30)
			}
			if err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("reference", func(b *testing.B) {
		var r gzip.Reader
		buf := make([]byte, 64<<10)
		benchmarkPages(b, func(raw []byte) {
			err := r.Reset(bytes.NewReader(raw))
			for err == nil {
				_, err = r.Read(buf)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkZeros inflates what is made to take long: copies from one byte before, of which a page
// has few.
func BenchmarkZeros(b *testing.B) {
	raw := zipped(b, make([]byte, 1<<20), 1, nil)
	var z Inflater
	var m Member
	b.SetBytes(1 << 20)
	for b.Loop() {
		err := m.Open(raw)
		if err == nil {
			err = z.All(&m, 1<<20)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
