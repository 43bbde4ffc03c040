package segment

import (
	"strings"
	"testing"
)

// TestFields: what is no entry is an error, and what is read of it is zero from there on.
func TestFields(t *testing.T) {
	whole := append(AppendText([]byte{1, 0xac, 0x02}, "text"), "rest"...)
	for _, c := range []struct {
		name  string
		value []byte
		most  uint64
		err   string
	}{
		{"whole", whole, 300, ""},
		{"another version", append([]byte{2}, whole[1:]...), 300, "entry of version 2"},
		{"a number beyond its bound", whole, 299, "too large"},
		{"a number that does not end", whole[:2], 300, "no number"},
		{"a text that ends early", whole[:6], 300, "too large"},
		{"nothing", nil, 300, "ends early"},
	} {
		f := FieldsOf(c.value)
		f.Version(1)
		n, text, rest := f.Number(c.most), f.Text(), string(f.Rest())
		err := f.End()
		switch {
		case c.err == "" && (err != nil || n != 300 || text != "text" || rest != "rest"):
			t.Errorf("%s: %d, %q, %q, %v", c.name, n, text, rest, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || text+rest != ""):
			t.Errorf("%s: %q, %q, %v", c.name, text, rest, err)
		}
	}
	f := FieldsOf([]byte{1, 2})
	f.Version(1)
	if err := f.End(); err == nil || !strings.Contains(err.Error(), "1 bytes behind its end") {
		t.Errorf("a byte too many: %v", err)
	}
}
