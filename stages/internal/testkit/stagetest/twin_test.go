package stagetest

import (
	"testing"

	"github.com/cespare/xxhash/v2"
)

func TestTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	for _, prefix := range []string{"http://evil.test/", "load ", "a prefix that is longer than a stripe of XXH64 is"} {
		twin := Twin(t, prefix, "http://victim.test/")
		if xxhash.Sum64String(twin) != xxhash.Sum64String("http://victim.test/") {
			t.Errorf("%q is no twin", twin)
		}
		t.Log(twin)
	}
}
