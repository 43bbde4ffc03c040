package cdxj

import (
	"strings"
	"testing"
)

// TestKey holds keys against what the surt library documents and tests for itself.
func TestKey(t *testing.T) {
	id := "0123456789abcdefghijklemopqrstuv"
	for url, want := range map[string]string{
		"http://www.archive.org/":                     "org,archive)/",
		"http://archive.org":                          "org,archive)/",
		"http://archive.org/goo/":                     "org,archive)/goo",
		"http://archive.org/goo/?":                    "org,archive)/goo",
		"http://archive.org/goo/?b&a":                 "org,archive)/goo?a&b",
		"http://archive.org/goo/?a=2&b&a=1":           "org,archive)/goo?a=1&a=2&b",
		"http://archive.org?a=1&":                     "org,archive)/?&a=1",
		"http://archive.org/a?ab&a=1&a":               "org,archive)/a?a&a=1&ab",
		"http://www34.archive.org/index.html?b=a&b=b": "org,archive)/index.html?b=a&b=b",
		"http://www2.www2foo.com/":                    "com,www2foo)/",
		"http://www2foo.com/":                         "com,www2foo)/",
		"http://www.archive.org:80/":                  "org,archive)/",
		"https://www.archive.org:443/":                "org,archive)/",
		"https://www.archive.org:80/":                 "org,archive:80)/",
		"http://www.archive.org:8080/x#frag":          "org,archive:8080)/x",
		"http://user:pass@archive.org/":               "org,archive)/",
		"http://mineral.galleries.com:/a/b.htm":       "com,galleries,mineral)/a/b.htm",
		"HTTP://ARCHIVE.ORG/Goo?X=Y":                  "org,archive)/goo?x=y",
		"http://127.0.0.1:8480/":                      "1,0,0,127:8480)/", // so it is there
		"http://[::1]:8480/a":                         "[::1]:8480)/a",
		"http://[::1]/a":                              "[::1])/a",
		"http://.a..b.org./":                          "org,b,a)/",
		"http://host.com//twoslashes?more//slashes":   "com,host)/twoslashes?more//slashes",
		"http://host/a/./b/../c/":                     "host)/a/c",
		"http://host/blah/..":                         "host)/",
		"http://host/../a":                            "host)/../a",
		"http://host/%25%32%35":                       "host)/%25",
		"http://host/%2525252525252525":               "host)/%25",
		"http://host/asdf%25%32%35asd":                "host)/asdf%25asd",
		"http://host/%%%25%32%35asd%%":                "host)/%25%25%25asd%25%25",
		"http://host/%7Ea%2c%20b%23c%E2%82%AC":        "host)/~a,%20b%23c%e2%82%ac",
		"http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B": "com,host%23)/~a!b@c%23d$e%25f^00&11*22(33)44_55+",
		"http://a.org/i.php?PHPSESSID=" + id +
			"&action=profile;u=4221": "org,a)/i.php?action=profile;u=4221",
		"http://a.org/?one=two&jsessionid=" + id +
			"&x=y": "org,a)/?one=two&x=y",
		"http://a.org/?jsessionid=" + id +
			"0": "org,a)/?jsessionid=" + id + "0",
		"http://a.org/?sid=9682993c8daa2c5497996114facdc805&jsessionid=" + id: "org,a)/",
		"http://a.org/?aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&x=y":     "org,a)/?x=y",
		"http://a.org/?CFID=14475712&CFTOKEN=2D89F5AF-3048&r=46&m=f":          "org,a)/?m=f&r=46",
		"http://a.org/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx":               "org,a)/mileg.aspx",
		"http://a.org/(4hqa0555fwsecu455xqckv45)/mileg.aspx":                  "org,a)/mileg.aspx",
		"http://a.org/photos/36050182@N05/":                                   "org,a)/photos/36050182@n05",
		"http://v.y.com/visit.gif?&r=http%3A//web.org/&b=N%205.0%20%28W%29":   "com,y,v)/visit.gif?&b=n%205.0%20(w)&r=http://web.org/",
		"dns:archive.org": "dns:archive.org",
		"urn:a b":         "urn:a%20b",
		"":                "",
	} {
		if got := Key(url); got != want {
			t.Errorf("Key(%q) = %q, want %q", url, got, want)
		}
	}
}

// TestKeyIsLinear: an escape in an escape in an escape must not cost a pass each.
func TestKeyIsLinear(t *testing.T) {
	if got := Key("http://h/%" + strings.Repeat("25", 1<<20)); got != "h)/%25" {
		t.Errorf("Key of a nest of escapes: %.80q", got)
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"http://www.a.test:80/%7Eb/../?z&a=%25%32%35#f",
		"http://u@[::1]:8/(S(4hqa0555fwsecu455xqckv45))/m.aspx", "http://%2e/", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, url string) {
		key := Key(url)
		for _, c := range []byte(key) {
			if c < 0x21 || c > 0x7e {
				t.Fatalf("Key(%q) = %q holds the byte %#x", url, key, c)
			}
		}
	})
}

func BenchmarkKey(b *testing.B) {
	for b.Loop() {
		Key("http://www.example.org:8080/a/folder/of/pages/%7Euser/index.html?session=12&page=3&order=up")
	}
}
