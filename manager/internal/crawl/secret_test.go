package crawl

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"multitext/txlog"
)

// A crawl has a secret from its birth on, which its stages find; it is nobody else's to read, and
// never another. One that an earlier manager has begun gets none.
func TestSecret(t *testing.T) {
	w := newWorld(t, `
[stage.tell]
every = "1ms"
shell = "cat $(printenv MT_SECRET || echo none) >> told"
[stop]
time = "200ms"
`)
	w.must(os.WriteFile(w.script.Folder+"/none", []byte("none\n"), 0o666))
	told := func() string {
		t.Helper()
		w.must(os.RemoveAll(w.script.Folder + "/told"))
		if code, err := w.run(txlog.OS{}, nil); err != nil {
			t.Fatalf("code %d, %v\n%s", code, err, w.said.String())
		}
		text, err := os.ReadFile(w.script.Folder + "/told")
		w.must(err)
		line, _, _ := strings.Cut(string(text), "\n")
		return line
	}
	t.Setenv("MT_SECRET", "/nowhere") // of a crawl of which this manager is a stage
	first := told()
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(first) {
		t.Fatalf("the first run was told %q", first)
	}
	if info, err := os.Stat(w.path("secret")); err != nil || info.Mode() != 0o600 {
		t.Errorf("the secret: %v, %v", info, err)
	}
	if second := told(); second != first {
		t.Errorf("the second run was told %q, the first %q", second, first)
	}
	w.must(os.Remove(w.path("secret")))
	if third := told(); third != "none" {
		t.Errorf("a crawl without a secret was told %q", third)
	}
	w.must(os.Mkdir(w.path("secret"), 0o777))
	if _, err := w.run(txlog.OS{}, nil); err == nil {
		t.Error("a secret that is a directory is passed over")
	}
}
