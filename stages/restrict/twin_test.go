package main

import (
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a host that is one too many of a stranger's domain, and whose XXH64 is that of a
// victim's host.
func TestTwin(t *testing.T) {
	twin := strings.TrimPrefix(stagetest.Twin(t, "host a.", "host victim.test"), "host ")
	for hash, hidden := range map[*keyed.Hash]bool{nil: true, stagetest.Secret(t): false} {
		d, err := openDomains("", hash, 0)
		if err != nil {
			t.Fatal(err)
		}
		if in, err := d.admit([]byte("http://"+twin+"/"), false); in || err != nil {
			t.Fatal(in, err)
		}
		d.max = 1
		if in, err := d.admit([]byte("http://victim.test/"), false); in == hidden || err != nil {
			t.Errorf("with a secret %v: the victim is taken up: %v, %v", hash != nil, in, err)
		}
	}
}
