package store_test

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
	"multitext/stages/gofer/internal/testkit/storetest"
)

// TestS3 runs the tests of all transports, each at a prefix of its own. Objects are files in a
// folder.
func TestS3(t *testing.T) {
	servertest.SetKeys(t)
	v := servertest.StartVersity(t)
	n := 0
	storetest.Run(t, func(t *testing.T) storetest.Place {
		n++
		prefix := fmt.Sprintf("to/world/from/arts%d", n)
		return storetest.Place{
			Open: func(t *testing.T) store.Store {
				s, err := store.Open(t.Context(), servertest.S3URL(v.Address(), prefix),
					store.Options{Timeout: 20 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				return s
			},
			Plant: func(t *testing.T, name string, content []byte) {
				plant(t, filepath.Join(v.Dir, servertest.Bucket, prefix), name, content)
			},
			Many: 1010, // a page of a listing holds a thousand
		}
	})
}

func openS3(t testing.TB, rawURL string, timeout time.Duration) (*store.Bucket, error) {
	t.Helper()
	s, err := store.OpenBucket(t.Context(), rawURL, store.Options{Timeout: timeout})
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// Who may not, or not so, gets a word on what to do.
func TestS3Refusals(t *testing.T) {
	v := servertest.StartVersity(t)
	place := servertest.S3URL(v.Address(), "to/world/from/arts")
	absent := strings.Replace(place, "//"+servertest.Bucket, "//absent", 1)
	for _, c := range []struct {
		name, url string
		env       []string
		want      []string
	}{
		{"no such bucket", absent, nil, []string{"there is no bucket absent: make it"}},
		{"key that nobody knows", place, []string{"AWS_ACCESS_KEY_ID=nobody"},
			[]string{"the service refuses this with these keys"}},
		{"wrong secret", place, []string{"AWS_SECRET_ACCESS_KEY=wrong"}, []string{"SignatureDoesNotMatch",
			"the service refuses this with these keys"}},
		{"no keys", place, []string{"AWS_ACCESS_KEY_ID=", "AWS_SECRET_ACCESS_KEY="},
			[]string{"there are no keys to sign with", "AWS_PROFILE"}},
		{"no such profile", place, []string{"AWS_ACCESS_KEY_ID=", "AWS_PROFILE=nobody"},
			[]string{"there are no keys to sign with", "nobody"}},
		{"no region", "s3://crawl/to/", nil, []string{"?region="}},
		{"wrong region", place + "&region=mars", nil, []string{"in another region", "?region="}},
	} {
		t.Run(c.name, func(t *testing.T) {
			servertest.SetKeys(t)
			for _, variable := range c.env {
				name, value, _ := strings.Cut(variable, "=")
				t.Setenv(name, value)
			}
			var err error
			if s, openErr := openS3(t, c.url, time.Second); openErr != nil {
				err = openErr
			} else if _, err = listed(t.Context(), s); err != nil {
				put := s.Put(t.Context(), "name", strings.NewReader("x"), 1)
				if !errors.Is(put, store.ErrRefused) {
					t.Errorf("put: %v, want ErrRefused", put)
				}
			}
			if !errors.Is(err, store.ErrRefused) || errors.Is(err, store.ErrUnreachable) ||
				errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("%v, want ErrRefused alone", err)
			}
			where, _, _ := strings.Cut(c.url, "?")
			for _, want := range append(c.want, where) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nhas not %q", err, want)
				}
			}
		})
	}
}

// A service that answers otherwise than it should: what becomes of the request.
func TestS3Answers(t *testing.T) {
	servertest.SetKeys(t)
	for _, c := range []struct {
		status int
		answer string
		kind   error
	}{
		{403, errorXML("AccessDenied"), store.ErrRefused},
		{401, "", store.ErrRefused},
		{301, errorXML("PermanentRedirect"), store.ErrRefused},
		{404, errorXML("NoSuchBucket"), store.ErrRefused},
		{501, errorXML("NotImplemented"), store.ErrRefused},
		{500, errorXML("InternalError"), store.ErrUnreachable},
		{503, errorXML("SlowDown"), store.ErrUnreachable},
		{429, "", store.ErrUnreachable},
		{200, "<html>a page of the provider</html>", store.ErrRefused},
		{200, "<ListBucketResult><Contents><Key>", nil},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(c.status)
			io.WriteString(w, c.answer)
		}))
		s, err := openS3(t, servertest.S3URL(server.Listener.Addr().String(), "p"), 100*time.Millisecond)
		if err == nil {
			_, err = listed(t.Context(), s)
		}
		if err == nil || c.kind != nil && !errors.Is(err, c.kind) || errors.Is(err, fs.ErrNotExist) ||
			errors.Is(err, store.ErrRefused) && errors.Is(err, store.ErrUnreachable) {
			t.Errorf("%d %s: %v, want %v alone", c.status, c.answer, err, c.kind)
		}
		server.Close()
	}
}

// TestS3Busy holds that a service which is busy is asked again, with the whole batch, wherever its
// reader stands.
func TestS3Busy(t *testing.T) {
	servertest.SetKeys(t)
	var came []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if came = append(came, string(text)); len(came) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	s, err := openS3(t, servertest.S3URL(server.Listener.Addr().String(), "p"), 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	src := strings.NewReader("batch")
	src.Seek(2, io.SeekStart)
	if err := s.Put(t.Context(), "name", src, 5); err != nil || !slices.Equal(came,
		[]string{"batch", "batch", "batch"}) {
		t.Errorf("put: %v; there came %q, want the batch three times", err, came)
	}
}

func errorXML(code string) string { return "<Error><Code>" + code + "</Code></Error>" }

// A listing may hold what it likes: keys of other folders, names that lead elsewhere, far more than
// was asked for, and the same page for ever.
func TestS3HostileListing(t *testing.T) {
	servertest.SetKeys(t)
	var page strings.Builder
	page.WriteString("<ListBucketResult><Name>crawl</Name><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>")
	for _, key := range []string{"p/good", "other/good", "good", "p/../good", "p/deeper/good", "p//good", "p/.dot",
		"p/UP", "P/good", "p/", ""} {
		page.WriteString("<Contents><Key>" + key + "</Key><Size>3</Size></Contents>")
	}
	page.WriteString("</ListBucketResult>")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, page.String())
	}))
	defer server.Close()
	s, err := openS3(t, servertest.S3URL(server.Listener.Addr().String(), "p"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	names, err := listed(t.Context(), s)
	if len(names) == 0 || len(names) > 3 || names[0] != "good" || err != nil {
		t.Errorf("%q, %v; want good, two or three times", names, err)
	}
}

// An answer without end is not read to its end.
func TestS3EndlessListing(t *testing.T) {
	servertest.SetKeys(t)
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<ListBucketResult><Name>crawl</Name>")
		junk := []byte(strings.Repeat("<Contents><Key>p/"+strings.Repeat("x", 1000)+"</Key></Contents>", 100))
		for sent.Load() < 1<<30 {
			n, err := w.Write(junk)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	}))
	defer server.Close()
	s, err := openS3(t, servertest.S3URL(server.Listener.Addr().String(), "p"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listed(t.Context(), s); err == nil {
		t.Error("no error")
	}
	if sent.Load() > 200<<20 {
		t.Errorf("%d bytes were taken", sent.Load())
	}
}

// A service that does not answer, or no longer: the line is cut in the midst of a batch, or falls
// silent, or the service is killed.
func TestS3Unreachable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	servertest.SetKeys(t)
	v := servertest.StartVersity(t)
	wire := servertest.NewWire(t, v.Address())
	place := servertest.S3URL(wire.Address, "p")
	s, err := openS3(t, place, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Repeat("0123456789abcdef", 1<<19) // 8 MiB: more than lies in the line's buffers
	if err := s.Put(t.Context(), "long", strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	hasty, err := openS3(t, place, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for name, lose := range map[string]func(){
		"cut":    wire.Cut,
		"silent": func() { wire.Silence(true) },
		"killed": v.Kill,
	} {
		t.Run(name, func(t *testing.T) {
			readLosing(t, hasty, lose).Close()
			if name == "killed" {
				if _, err := listed(t.Context(), hasty); !errors.Is(err, store.ErrUnreachable) {
					t.Errorf("list: %v, want ErrUnreachable", err)
				}
				v.Start(t)
			}
			wire.Silence(false)
			if text, err := storetest.Read(t.Context(), s, "long"); err != nil || text != content {
				t.Errorf("afterwards: %d bytes, %v", len(text), err)
			}
		})
	}
}

// https wants a certificate that somebody vouches for; who, AWS_CA_BUNDLE may say.
func TestS3Authority(t *testing.T) {
	servertest.SetKeys(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<ListBucketResult><Name>crawl</Name></ListBucketResult>")
	}))
	defer server.Close()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	url := "s3://crawl/p/?endpoint=" + server.URL
	s, err := openS3(t, url, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listed(t.Context(), s); !errors.Is(err, store.ErrRefused) ||
		!strings.Contains(err.Error(), "AWS_CA_BUNDLE") {
		t.Errorf("%v, want ErrRefused", err)
	}
	authority := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CA_BUNDLE", authority)
	if s, err = openS3(t, url, time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := listed(t.Context(), s); err != nil {
		t.Error(err)
	}
}

func TestS3URLs(t *testing.T) {
	servertest.SetKeys(t)
	for rawURL, want := range map[string]string{
		"s3://":                                            "want s3://BUCKET",
		"s3:///prefix":                                     "want s3://BUCKET",
		"s3://bucket:9000/prefix":                          "want s3://BUCKET",
		"s3://key@bucket/prefix":                           "do not write keys into a URL",
		"s3://key:secret@bucket/p":                         "remove the password from the URL",
		"s3://bucket/p?secret=hush":                        `"secret" after ?`,
		"s3://bucket/p?%zzhush":                            "cannot be parsed",
		"s3://b/p?region=a&region=b":                       `"region" after ?`,
		"s3://b/p?endpoint=http://s3.example.org":          "want https",
		"s3://b/p?endpoint=http://127.0.0.1.example.org":   "want https",
		"s3://b/p?endpoint=ftp://127.0.0.1":                "want https",
		"s3://b/p?endpoint=https://me:hush@s3.example.org": "the endpoint is not the URL",
		"s3://b/p?endpoint=s3.example.org":                 "the endpoint is not the URL",
		"s3://b/p?endpoint=http://[::1]:9000":              "",
		"s3://b/p?endpoint=http://localhost:9000":          "",
		"s3://b/?endpoint=https://s3.example.org":          "",
	} {
		_, err := openS3(t, rawURL, time.Second)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s: %v; want %q", rawURL, err, want)
		}
	}
}
