package runner

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
	w.Must(os.WriteFile(w.Script.Folder+"/none", []byte("none\n"), 0o666))
	told := func() string {
		t.Helper()
		w.Must(os.RemoveAll(w.Script.Folder + "/told"))
		if code, err := w.run(txlog.OS{}, nil); err != nil {
			t.Fatalf("code %d, %v\n%s", code, err, w.Said.String())
		}
		text, err := os.ReadFile(w.Script.Folder + "/told")
		w.Must(err)
		line, _, _ := strings.Cut(string(text), "\n")
		return line
	}
	t.Setenv("MT_SECRET", "/nowhere") // of a crawl of which this manager is a stage
	first := told()
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(first) {
		t.Fatalf("the first run was told %q", first)
	}
	if info, err := os.Stat(w.Path("secret")); err != nil || info.Mode() != 0o600 {
		t.Errorf("the secret: %v, %v", info, err)
	}
	if second := told(); second != first {
		t.Errorf("the second run was told %q, the first %q", second, first)
	}
	w.Must(os.Remove(w.Path("secret")))
	if third := told(); third != "none" {
		t.Errorf("a crawl without a secret was told %q", third)
	}
	w.Must(os.Mkdir(w.Path("secret"), 0o777))
	if _, err := w.run(txlog.OS{}, nil); err == nil {
		t.Error("a secret that is a directory is passed over")
	}
}
