package percent

import "testing"

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"http://a/?q=~", "http://a/?q=~"},
		{"100%", "100%25"},
		{"a b\tc\n", "a%20b%09c%0A"},
		{"ü\x7f\x00", "%C3%BC%7F%00"},
	} {
		if got := Escape(c.in); got != c.want {
			t.Errorf("Escape(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestUnescapeErrors(t *testing.T) {
	for _, s := range []string{"%", "a%4", "%zz", "%%41"} {
		if got, err := Unescape(s); err == nil {
			t.Errorf("Unescape(%q) = %q, want an error", s, got)
		}
	}
	if got, err := Unescape("%c3%bc"); got != "ü" || err != nil {
		t.Errorf("lower-case digits: %q, %v", got, err)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("a b%c\xff")
	f.Fuzz(func(t *testing.T, s string) {
		escaped := Escape(s)
		for i := range len(escaped) {
			if c := escaped[i]; c < 0x21 || c > 0x7e {
				t.Fatalf("Escape(%q) = %q holds %#x", s, escaped, c)
			}
		}
		if back, err := Unescape(escaped); back != s || err != nil {
			t.Fatalf("Unescape(%q) = %q, %v", escaped, back, err)
		}
		Unescape(s) // must not panic
	})
}
