package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// typed are beginnings of command lines in the folder of the crawl of words, and what Tab makes of
// them; where that ends without a space, the user goes on typing.
var typed = []struct{ line, want string }{
	{"manager stat", "manager status "},
	{"manager why w", "manager why words.toml "},
	{"manager why words.toml me", "manager why words.toml merge "},
	{"manager log -stage sp", "manager log -stage sp"}, // of which script?
	{"manager log words.toml -stage spe", "manager log words.toml -stage spell "},
	{"manager add words.toml te", "manager add words.toml texts "},
	{"manager add words.toml texts son", "manager add words.toml texts sonnets.txt "},
	{"manager cat words.toml wor", "manager cat words.toml words/"},
	{"manager graph words.toml -o me", "manager graph words.toml -o mermaid "},
	{"manager run vars.toml -var n", "manager run vars.toml -var node="},
	{"manager run vars.toml -var x", "manager run vars.toml -var x"},
	{"manager run -var node=arts v", "manager run -var node=arts vars.toml "},
	{"manager status -wat", "manager status -watch "},
	{"manager completion fi", "manager completion fish "},
	{"window -lis", "window -listen "},
	{"window craw", "window crawl/"},
	{"manager cat words.toml words/", "manager cat words.toml words/FILE "},
	{"window -listen 127.0.0.1:80 wo", "window -listen 127.0.0.1:80 words.toml "},
}

// Tab completes in real shells as package complete says. Names in a script that would be commands
// do nothing.
func TestShellsComplete(t *testing.T) {
	b := newBench(t, programs(t), "words", "words.toml")
	b.run(0)
	b.write("vars.toml", "flow = 1\n[vars]\nnode = \"\"\n\"n$(touch pwned)\" = \"\"\n\"n`touch pwned`\" = \"\"\n"+
		"\"x$(touch pwned)\" = \"\"\n")
	batch, err := filepath.Glob(b.crawlPath("words/*"))
	if err != nil || len(batch) != 1 {
		t.Fatalf("the crawl has made %v (%v)", batch, err)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("no %s here", shell)
			}
			for i, got := range map[string]func(*testing.T, string) []string{
				"bash": b.bash, "zsh": b.zsh, "fish": b.fish,
			}[shell](t, path) {
				want := strings.Replace(typed[i].want, "FILE", filepath.Base(batch[0]), 1)
				if got != want {
					t.Errorf("%q\nbecomes %q,\n   want %q", typed[i].line, got, want)
				}
			}
			if _, err := os.Stat(b.path("pwned")); err == nil {
				t.Error("a name was carried out")
			}
		})
	}
}
