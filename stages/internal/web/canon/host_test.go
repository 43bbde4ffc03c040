package canon

import "testing"

func TestParts(t *testing.T) {
	for _, c := range []struct{ url, scheme, host, hostname, path, surt string }{
		{"http://www.example.org/path?q", "http", "www.example.org", "www.example.org", "/path?q",
			"http://(org,example,www,)/path?q"},
		{"https://a.b.example.co.uk:8443/", "https", "a.b.example.co.uk:8443", "a.b.example.co.uk", "/",
			"https://(uk,co,example,b,a,:8443)/"},
		{"http://192.0.2.1:81/x", "http", "192.0.2.1:81", "192.0.2.1", "/x", "http://(192.0.2.1:81)/x"},
		{"http://[2001:db8::1]/", "http", "[2001:db8::1]", "[2001:db8::1]", "/", "http://([2001:db8::1])/"},
		{"http://[2001:db8::1]:81/", "http", "[2001:db8::1]:81", "[2001:db8::1]", "/", "http://([2001:db8::1]:81)/"},
		{"http://localhost/", "http", "localhost", "localhost", "/", "http://(localhost,)/"},
		{"http://co.uk/", "http", "co.uk", "co.uk", "/", "http://(uk,co,)/"},
		{"http://a.test/b:80/@c", "http", "a.test", "a.test", "/b:80/@c", "http://(test,a,)/b:80/@c"},
	} {
		for _, g := range []struct{ name, got, want string }{
			{"Scheme", Scheme(c.url), c.scheme},
			{"Host", Host(c.url), c.host},
			{"Hostname", Hostname(c.url), c.hostname},
			{"Path", Path(c.url), c.path},
			{"SURT", string(AppendSURT(nil, c.url)), c.surt},
		} {
			if g.got != g.want {
				t.Errorf("%s(%q) = %q, want %q", g.name, c.url, g.got, g.want)
			}
		}
	}
}
