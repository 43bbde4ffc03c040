package suggest

import "testing"

func TestHint(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hots", `; did you mean "host"?`},
		{"surd", `; did you mean "surt"?`},
		{"host", `; did you mean "host"?`},
		{"", ""},
		{"nothing like it", ""},
	} {
		if got := Hint(c.text, []string{"a", "host", "surt"}); got != c.want {
			t.Errorf("Hint(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}
