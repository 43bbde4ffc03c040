package registered

import "testing"

func TestDomain(t *testing.T) {
	for url, want := range map[string]string{
		"http://www.example.org/path?q":      "example.org",
		"https://a.b.example.co.uk:8443/":    "example.co.uk",
		"http://192.0.2.1:81/x":              "192.0.2.1",
		"http://[2001:db8::1]:81/":           "[2001:db8::1]",
		"http://localhost/":                  "localhost",
		"http://co.uk/":                      "co.uk",
		"http://a.test/b:80/@c":              "a.test",
		"http://user.github.io/":             "user.github.io",
		"http://xn--85x722f.xn--55qx5d.cn/x": "xn--85x722f.xn--55qx5d.cn",
	} {
		if got := Domain(url); got != want {
			t.Errorf("Domain(%q) = %q, want %q", url, got, want)
		}
	}
}
