package deflate

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	klauspost "github.com/klauspost/compress/flate"
)

// inflate is the judge: the standard library.
func inflate(t testing.TB, stream []byte) []byte {
	t.Helper()
	src := bytes.NewReader(stream)
	b, err := io.ReadAll(flate.NewReader(src))
	if err != nil {
		t.Fatalf("stream of %d bytes: %v", len(stream), err)
	}
	if src.Len() != 0 {
		t.Fatalf("%d bytes behind the end of the stream", src.Len())
	}
	return b
}

// texts are what a compressor may stumble over, by name.
func texts() map[string][]byte {
	all := map[string][]byte{
		"prose": []byte(strings.Repeat("some words of a page that are not all alike ", 3000)),
		"zeros": make([]byte, 200_000),
		"pairs": bytes.Repeat([]byte("ab"), 100_000),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, letters := range []int{2, 3, 10, 60, 256} {
		b := make([]byte, 150_000)
		for i := range b {
			b[i] = byte(r.IntN(letters))
		}
		all[fmt.Sprint("random of ", letters)] = b
	}
	// Lines of one length after each other, whose distances cross every bound of the window.
	var far []byte
	for _, gap := range []int{maxDistance - 1, maxDistance, maxDistance + 1, 2 * maxDistance, maxPlaces + 1} {
		far = append(far, "the same line of text, so long after"...)
		far = append(far, all["random of 256"][:gap-len("the same line of text, so long after")]...)
	}
	all["far"] = far
	// Each byte twice as frequent as the one before it: the longest codes.
	for n, b := 1, byte(0); b < 17; n, b = 2*n, b+1 {
		all["steep"] = append(all["steep"], bytes.Repeat([]byte{b * 7, b}, n)...)
	}
	r.Shuffle(len(all["steep"]), func(i, j int) { s := all["steep"]; s[i], s[j] = s[j], s[i] })
	return all
}

// TestStream: what is written comes out of the standard library's reader, in all ways of writing,
// at all sizes.
func TestStream(t *testing.T) {
	var e Encoder
	for name, text := range texts() {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 16, 17, 100, 259, 1000, maxShort, maxShort + 1,
			blockSize - 1, blockSize, blockSize + 1, maxPlaces, maxPlaces + 1, len(text)} {
			b := text[:min(n, len(text))]
			e.Reset([]byte("before"))
			e.Short(b)
			e.Flush()
			e.Write(b)
			e.Write(b)
			got := e.Close(b)
			if !bytes.HasPrefix(got, []byte("before")) {
				t.Fatalf("%s, %d bytes: does not append", name, n)
			}
			if got := inflate(t, got[len("before"):]); !bytes.Equal(got, bytes.Repeat(b, 4)) {
				t.Fatalf("%s, %d bytes: came out different", name, n)
			}
		}
	}
}

// TestShortBehindLong: a short text comes out whole, however much of the window the text before it
// has filled.
func TestShortBehindLong(t *testing.T) {
	var e Encoder
	text := texts()["random of 60"]
	for _, n := range []int{maxPlaces - 600, maxPlaces - 100, maxPlaces, maxPlaces + 100} {
		e.Reset(nil)
		e.Write(text[:n])
		e.Short(text[n : n+300])
		if got := inflate(t, e.Close(text[n+300:n+600])); !bytes.Equal(got, text[:n+600]) {
			t.Errorf("behind %d bytes: came out different", n)
		}
	}
}

// TestLarge: a body as large as a record may be; it grows by no more than the heads of stored
// blocks.
func TestLarge(t *testing.T) {
	const size = 64 << 20
	part := texts()["random of 256"][:100_000]
	text := bytes.Repeat(part, size/len(part))
	var e Encoder
	e.Reset(nil)
	e.Write(text)
	stream := e.Close(nil)
	if most := len(text) + len(text)/blockSize*6 + 16; len(stream) > most {
		t.Errorf("%d bytes of %d, want %d at most", len(stream), len(text), most)
	}
	r, at, buf := flate.NewReader(bytes.NewReader(stream)), 0, make([]byte, 1<<20)
	for {
		n, err := r.Read(buf)
		if !bytes.Equal(buf[:n], text[at:at+n]) {
			t.Fatalf("came out different behind byte %d", at)
		}
		at += n
		if err == io.EOF && at == len(text) {
			return
		}
		if err != nil {
			t.Fatalf("behind byte %d: %v", at, err)
		}
	}
}

// TestFlush: what stands before a flush can be read without what is behind it, and the flush ends a
// byte.
func TestFlush(t *testing.T) {
	var e Encoder
	e.Reset(nil)
	e.Short([]byte("the head of an answer"))
	e.Flush()
	head := bytes.Clone(e.w.out)
	e.Write([]byte("its body"))
	stream := e.Close(nil)
	if !bytes.HasPrefix(stream, head) || !bytes.HasSuffix(head, []byte{0, 0, 0xff, 0xff}) {
		t.Fatalf("head is %x of %x", head, stream)
	}
	got := make([]byte, len("the head of an answer"))
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(head)), got); err != nil ||
		string(got) != "the head of an answer" {
		t.Errorf("read %q, %v", got, err)
	}
}

// TestSameBytes: what an Encoder wrote before changes nothing.
func TestSameBytes(t *testing.T) {
	made := func(e *Encoder, b []byte) string {
		e.Reset(nil)
		e.Short(b[:300])
		e.Write(b)
		e.Short(b[300:500])
		e.Write(b)
		return string(e.Close(b[:4]))
	}
	var used Encoder
	for round := range 2 {
		for name, text := range texts() {
			if made(&used, text[:90_000]) != made(new(Encoder), text[:90_000]) {
				t.Errorf("round %d, %s: other bytes than of a new encoder", round, name)
			}
		}
	}
}

// FuzzStream holds the encoder to two readers. Each piece is written in another way; long pieces
// are made by repeating.
func FuzzStream(f *testing.F) {
	f.Add([]byte("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"), []byte("<p>some text, some more text"), uint16(3))
	f.Add([]byte{}, []byte{0}, uint16(65535))
	f.Add([]byte("aaaa"), []byte("abcabcabdabcabc"), uint16(3000))
	var e Encoder
	f.Fuzz(func(t *testing.T, head, body []byte, times uint16) {
		many := bytes.Repeat(body, 1+int(times)%(1+200_000/(len(body)+1)))
		want := bytes.Join([][]byte{head, many, head, body, body}, nil)
		e.Reset(nil)
		e.Short(head)
		e.Flush()
		e.Write(many)
		e.Short(head)
		e.Write(body)
		stream := e.Close(body)
		if !bytes.Equal(inflate(t, stream), want) {
			t.Error("came out different")
		}
		got, err := io.ReadAll(klauspost.NewReader(bytes.NewReader(stream)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("another reader: %d bytes of %d, %v", len(got), len(want), err)
		}
	})
}
