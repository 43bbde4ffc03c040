package programs

import (
	"os"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("say", []byte("#!/bin/sh\necho \"$@\"\necho $(seq 1000) last >&2\nexit $1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := Output(".", "say", "0", "a b"); err != nil || string(out) != "0 a b\n" {
		t.Errorf("%q, %v", out, err)
	}
	_, err := Output(".", "say", "3")
	if err == nil || !strings.HasPrefix(err.Error(), "say: exit status 3; it said \"") ||
		!strings.HasSuffix(err.Error(), "1000 last\"") || len(err.Error()) > 600 {
		t.Errorf("%v", err)
	}
	if _, err := Output(".", "none"); err == nil || !strings.Contains(err.Error(), "none: ") {
		t.Errorf("%v", err)
	}
}
