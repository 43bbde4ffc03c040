package store

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"
)

// lists holds that whatever is listed is safe, and comes to an end.
func lists(t *testing.T, s Store) {
	t.Helper()
	n := 0
	for e, err := range s.List(t.Context()) {
		if err != nil {
			return
		}
		if CheckName(e.Name) != nil {
			t.Errorf("%q is listed", e.Name)
		}
		if n++; n > 1<<20 {
			t.Fatal("it does not end")
		}
	}
}

// FuzzSFTP lets the other side of sftp answer each request with the next piece of the input: the
// first byte is its length, what follows is the answer's type and all that stands behind its
// number.
func FuzzSFTP(f *testing.F) {
	f.Add([]byte("\x06\x66\x00\x00\x00\x01h\xff" + // a handle
		// a name
		"\x25\x68\x00\x00\x00\x01\x00\x00\x00\x01a\x00\x00\x00\x01a\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x81\xa4" +
		"\x0d\x65\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")) // the end
	f.Add([]byte("\x05\x65\x00\x00\x00\x02"))
	f.Add([]byte("\x05\x68\xff\xff\xff\xff"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, answers []byte) {
		l := answered(t, pieces(bytes.NewBuffer(answers)))
		place := &far{path: "/x", gate: &gate{address: "127.0.0.1:1", timeout: time.Second}, link: l}
		place.gate.identity = &identity{socket: "/nowhere"}
		lists(t, place)
		if r, err := place.Open(t.Context(), "name"); err == nil {
			io.Copy(io.Discard, io.LimitReader(r, 1<<20))
			r.Close()
		}
		place.Remove(t.Context(), "name")
		place.Close()
	})
}

// pieces answers with the version, and then with what it is given until that is used up.
func pieces(answers *bytes.Buffer) func(request []byte) []byte {
	return func(request []byte) []byte {
		if request[0] == fxpInit {
			return []byte{fxpVersion, 0, 0, 0, 3}
		}
		n, err := answers.ReadByte()
		said := answers.Next(int(n))
		if err != nil || len(said) == 0 {
			return nil
		}
		return slices.Concat(said[:1], request[1:5], said[1:]) // the request's number behind the type
	}
}

// said is a service that gives the same answer to all.
type said struct {
	status int
	body   []byte
}

func (s said) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{StatusCode: s.status, Body: io.NopCloser(bytes.NewReader(s.body)), Header: http.Header{},
		Request: r}, nil
}

// FuzzS3 lets a service answer all requests with the input.
func FuzzS3(f *testing.F) {
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"} {
		f.Setenv(name, value)
	}
	f.Add(200, []byte("<ListBucketResult><Name>b</Name><Contents><Key>p/a</Key><Size>1</Size></Contents></ListBucketResult>"))
	f.Add(200, []byte("<ListBucketResult><Name>b</Name><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>"))
	f.Add(404, []byte("<Error><Code>NoSuchKey</Code></Error>"))
	f.Add(503, []byte("<Error><Code>SlowDown</Code>"))
	f.Add(400, []byte("\x00"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 100 || status > 599 {
			return
		}
		s, err := Open(t.Context(), "s3://bucket/p?endpoint=http://127.0.0.1:1", Options{Timeout: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		b := s.(*Bucket)
		b.client.Transport = said{status, body}
		lists(t, b)
		if r, err := b.Open(t.Context(), "name"); err == nil {
			io.Copy(io.Discard, r)
			r.Close()
		}
		b.Put(t.Context(), "name", bytes.NewReader([]byte("x")), 1)
		b.Remove(t.Context(), "name")
	})
}
