package coding

import (
	"strings"
	"testing"
)

func TestDechunk(t *testing.T) {
	for _, c := range []struct {
		body, payload string
		whole         bool
	}{
		{"5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nTrailer: x\r\n\r\n", "hello!", true},
		{"A\nhelloworld\n0\n\n", "helloworld", true},
		{"0\r\n\r\n", "", true},
		{"5\r\nhel", "hel", false},
		{"5\r\nhello\r\n", "hello", false},
		{"5\r\nhello!\r\n0\r\n\r\n", "hello", false},
		{"5\r\nhello\r\n-1\r\n", "hello", false},
		{"", "", false},
		{"hello\r\n", "hello\r\n", true},
		{"fffffffffffffffff\r\nhello", "fffffffffffffffff\r\nhello", true},
		{"1;" + strings.Repeat("x", maxChunkLine) + "\r\nh\r\n0\r\n\r\n",
			"1;" + strings.Repeat("x", maxChunkLine) + "\r\nh\r\n0\r\n\r\n", true},
	} {
		if payload, whole := Dechunk([]byte(c.body)); string(payload) != c.payload || whole != c.whole {
			t.Errorf("Dechunk(%.40q) = %.40q, %v; want %.40q, %v", c.body, payload, whole, c.payload, c.whole)
		}
	}
}
