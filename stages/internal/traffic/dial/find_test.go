package dial

import (
	"errors"
	"flag"
	"io"
	"testing"
)

func TestFind(t *testing.T) {
	server := nameServer(t)
	find := func(args []string, url string) (string, error) {
		var d Dialer
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		d.Flags(fs)
		if err := fs.Parse(append([]string{"-dns", server}, args...)); err != nil {
			t.Fatal(err)
		}
		addrs, err := d.Find(t.Context(), url)
		if err != nil {
			return "", err
		}
		return addrs[0].String(), nil
	}
	open := []string{"-allow-private", "192.0.2.2/31"}
	tests := []struct {
		args []string
		url  string
		want string
		err  error
	}{
		{nil, "http://good.test/", "", ErrPrivate}, // 192.0.2.0/24 is documentation
		{open, "http://good.test/", "192.0.2.2:80", nil},
		{open, "https://good.test/x:1/", "192.0.2.2:443", nil},
		{open, "http://good.test:8080/", "192.0.2.2:8080", nil},
		{nil, "http://nowhere.test/", "", ErrNoHost},
		{nil, "http://127.0.0.1/", "", ErrPrivate},
		{nil, "http://[::1]:8080/", "", ErrPrivate},
		{nil, "http://1.1.1.1:8080/", "1.1.1.1:8080", nil},
		{[]string{"-connect-to", "nowhere.test=127.0.0.1:99"}, "http://nowhere.test/", "127.0.0.1:99", nil},
		{[]string{"-connect-to", "other.test=127.0.0.1:99"}, "http://127.0.0.1:99/", "", ErrPrivate},
	}
	for _, tt := range tests {
		got, err := find(tt.args, tt.url)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Find(%s) with %q = %q, %v, want %q, %v", tt.url, tt.args, got, err, tt.want, tt.err)
		}
	}
}
