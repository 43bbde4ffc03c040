package nodes

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"multitext/stages/internal/web/canon"
)

// TestGolden holds the format: the file is kept for ever.
func TestGolden(t *testing.T) {
	s, err := Load("testdata/v1.toml")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	file := "file://" + folder + "/crawl/$FROM/outgoing/$TO"
	want := []*Node{
		{Number: 0, Name: "arts", Labels: []string{"arts"}, url: file},
		{Number: 1, Name: "business", Labels: []string{"business", "shopping"},
			Hosts: []string{"example.org/shop", "xn--bcher-kva.example", "example.org:8080"}, url: file},
		{Number: 2, Name: "world", Labels: []string{"foreign", "de"}, Hosts: []string{"jp", "br"},
			url: "sftp://crawl@big.example/srv/$FROM/$TO"},
	}
	if !reflect.DeepEqual(s.All(), want) {
		for i := range s.All() {
			t.Errorf("got  %+v", *s.All()[i])
		}
	}
}

func golden(t *testing.T) *Set {
	t.Helper()
	s, err := Load("testdata/v1.toml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLookups(t *testing.T) {
	s := golden(t)
	for label, want := range map[string]string{"arts": "arts", "shopping": "business", "foreign": "world", "world": "",
		"fr": ""} {
		if n, ok := s.ByLabel(label); ok != (want != "") || ok && n.Name != want {
			t.Errorf("ByLabel(%q) = %v, %v", label, n, ok)
		}
	}
	for _, code := range []string{"de", "fr"} {
		if n, ok := s.ByLanguage(code); !ok || n.Name != "world" {
			t.Errorf("ByLanguage(%q) = %v, %v", code, n, ok)
		}
	}
	if n, err := s.ByName("world"); err != nil || n.Number != 2 {
		t.Errorf("ByName = %v, %v", n, err)
	}
	if _, err := s.ByName("wrld"); err == nil ||
		err.Error() != `testdata/v1.toml has no node "wrld"; did you mean "world"?` {
		t.Errorf("ByName = %v", err)
	}
	if err := s.Owned([]string{"arts", "de", "foreign"}); err != nil {
		t.Error(err)
	}
	if err := s.Owned([]string{"arts", "sports", "fr"}); err == nil ||
		!strings.Contains(err.Error(), `the label "sports", "fr"`) {
		t.Errorf("Owned = %v", err)
	}
}

func TestURL(t *testing.T) {
	s := golden(t)
	arts, world := s.All()[0], s.All()[2]
	if got := s.URL(world, arts); got != "sftp://crawl@big.example/srv/world/arts" {
		t.Error(got)
	}
	if got := s.URL(arts, world); !strings.HasPrefix(got, "file:///") ||
		!strings.HasSuffix(got, "/testdata/crawl/arts/outgoing/world") {
		t.Error(got)
	}
	s, err := Parse("/a b/nodes.toml", []byte("nodes = 1\nurl = \"file:$FROM/%20/$TO\"\n[[node]]\nname = \"x\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.URL(s.All()[0], s.All()[0]); got != "file:///a%20b/x/%20/x" {
		t.Error(got)
	}
}

// TestHashIsFair holds that each node gets its share of hashes, and that a new node at the end
// takes its share from all others and moves nothing else.
func TestHashIsFair(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const sums = 64_000
	for _, n := range []int{1, 2, 16, 17} {
		s, more := numbered(n), numbered(n+1)
		count := make([]int, n+1)
		for range sums {
			sum := rnd.Uint64()
			was, is := s.ByHash(sum).Number, more.ByHash(sum).Number
			if is != was && is != n {
				t.Fatalf("with node %d the hash %x moved from %d to %d", n, sum, was, is)
			}
			count[is]++
		}
		share := float64(sums) / float64(n+1)
		for number, got := range count {
			if math.Abs(float64(got)-share) > 6*math.Sqrt(share) {
				t.Errorf("%d of %d nodes have %d of %d hashes", number, n+1, got, sums)
			}
		}
	}
}

// TestHashStays holds the numbers that hashes choose: another choice would send a crawl's URLs to
// other nodes.
func TestHashStays(t *testing.T) {
	s := numbered(16)
	var got []int
	for i := range 8 {
		got = append(got, s.ByHash(uint64(i)*0x9e3779b97f4a7c15).Number)
	}
	if want := []int{0, 3, 5, 15, 2, 6, 10, 15}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func numbered(n int) *Set {
	s := &Set{}
	for i := range n {
		s.nodes = append(s.nodes, &Node{Number: i})
	}
	return s
}

func TestErrors(t *testing.T) {
	const head = "nodes = 1\nurl = \"file:$FROM/$TO\"\n"
	for _, c := range []struct{ text, want string }{
		{"", "n:1: the version of the format is missing: write \"nodes = 1\" on the first line\n" +
			"n:1: the file has no node: write [[node]] and a name for each crawler"},
		{"# none\nnodes = 2\nlots = 3\n",
			"n:3: unknown key \"lots\"\n" +
				"n:2: nodes = 2 is an unknown version; this program supports 1"},
		{head + "[[node]]\nname = \"a\"\nlabel = [\"a\"]", `n:5: unknown key "label"; did you mean "labels"?`},
		{head + "[[nod]]\nname = \"a\"", "n:1: unknown key \"nod\"; did you mean \"node\"?"},
		{head + "[[node]]\n[[node]]\nname = \"../a\"\n[[node]]\nname = \"A\"\n[[node]]\nname = \".a\"\n",
			"n:3: this node has no name\n" + `n:4: the name "../a" is not valid`},
		{head + "[[node]]\nname = \"" + strings.Repeat("a", 41) + "\"", "has at most 40 of a-z"},
		{head + "[[node]]\nname = \"a\"\n[[node]]\nname = \"a\"\nlabels = [\"b\"]",
			`n:5: the name "a" is the name of node 0, too`},
		{head + "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\nlabels = [\"a\"]",
			`n:5: the nodes "a" and "b" both have the label "a"`},
		{head + "[[node]]\nname = \"a\"\nhosts = [\"JP\", \"jp\"]", `n:3: the node "a" has the host "jp" twice`},
		{head + "[[node]]\nname = \"a\"\nhosts = [\".jp\", \"http://b/\", \"b?c\", \"b#c\", \"x@b\", \"a b\"]",
			`n:3: the node "a": host ".jp": write a name`},
		{"nodes = 1\n[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"",
			`n:1: where batches lie is missing: write url = "file:crawl/$FROM/outgoing/$TO"`},
		{"nodes = 1\nurl = \"ftp://$FROM/$TO\"\n[[node]]\nname = \"a\"\n",
			`n:2: the url "ftp://$FROM/$TO" is none that begins with`},
		{"nodes = 1\nurl = \"file://crawl/$FROM/$TO\"\n[[node]]\nname = \"a\"\n",
			`n:2: the url "file://crawl/$FROM/$TO": write file:FOLDER`},
		{"nodes = 1\nurl = \"sftp://x:secret@$FROM/$TO\"\n[[node]]\nname = \"a\"\n", "the url contains a password"},
		{"nodes = 1\nurl = \"ftp://x:secret@$FROM/$TO\"\n[[node]]\nname = \"a\"\n",
			`n:2: the url "ftp://...@$FROM/$TO" is none`},
		{"nodes = 1\nurl = \"sftp://x:secret/y@$FROM/$TO\"\n[[node]]\nname = \"a\"\n",
			`n:2: the url "sftp://...@$FROM/$TO" is none`},
		{head + "[[node]]\nname = \"a\"\nhosts = [\"b:80\"]", `n:3: the node "a": host "b:80": without a port it has`},
		{head + "[[node]]\nname = \"a\"\nhosts = [\"[::1]:0443/x\"]", `host "[::1]:0443/x": without a port`},
		{"nodes = 1\nurl = \"file:x/$FROM-$TO\"\n[[node]]\nname = \"a\"\n",
			`n:2: the url "file:x/$FROM-$TO" needs a / between`},
		{"nodes = 1\nurl = \"s3://b/$FROM/$TO\"\n" +
			"[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\nurl = \"s3://b/a/$TO\"\n",
			`n:5: the nodes "a" and "b" hold their batches in the same place`},
		{"nodes = 1\nurl = \"file:$FROM\"\n[[node]]\nname = \"a\"\n", `n:2: the url "file:$FROM" needs $FROM and $TO`},
		{head + "secret = \"0123\"\n", "n:3: the secret is not 32 hexadecimal digits"},
		{head + "[[node]\n", "n:4:7: expected end of table array"},
		{"nodes = \"1\"", "incompatible types"},
		{head + "[node]\nname = \"a\"", "incompatible types"},
		{head + "node.name = \"a\"", "incompatible types"},
		{head + strings.Repeat("[[node]]\n", maxNodes+1), "n:1: the file has 1001 nodes; the maximum is 1000"},
		{strings.Repeat("#", maxFile+1), "n: longer than 1 MB"},
	} {
		_, err := Parse("n", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q:\n%v\nwant:\n%s", c.text, err, c.want)
		}
		if strings.Contains(c.text, ":secret") && err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is told: %v", err)
		}
	}
	if _, err := Load("nowhere"); err == nil || !strings.Contains(err.Error(), "read nodes: open nowhere") {
		t.Errorf("Load = %v", err)
	}
}

// TestLoadStops holds that Load does not read an endless file, such as /dev/zero, to its end.
func TestLoadStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.toml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	wrote := make(chan error)
	go func() {
		wrote <- os.WriteFile(path, bytes.Repeat([]byte("#"), 8*maxFile), 0)
	}()
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "longer than 1 MB") {
		t.Errorf("Load = %v", err)
	}
	if err := <-wrote; !errors.Is(err, syscall.EPIPE) {
		t.Errorf("Load read 8 MB of a file that may have 1 MB (%v)", err)
	}
}

// FuzzParse holds that the names of an accepted file are safe, and that each label and host has one
// owner.
func FuzzParse(f *testing.F) {
	f.Add("nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"a\"\nhosts = [\"jp\", \"b.org/x\"]\n")
	f.Add("nodes = 1\n[[node]]\nname = \"a\"\nlabels = [\"x\"]\nurl = \"s3://b/$TO\"\n[[node]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 { // each unknown key costs a look over the text for its place
			return
		}
		s, err := Parse("/x/nodes.toml", []byte(text))
		if err != nil {
			return
		}
		for _, n := range s.All() {
			if !filepath.IsLocal(n.Name) || strings.HasPrefix(n.Name, ".") || strings.ContainsAny(n.Name, "/ _%") ||
				len(n.Name) > 40 {
				t.Errorf("the name %q", n.Name)
			}
			if got, err := s.ByName(n.Name); err != nil || got != n {
				t.Errorf("the name %q is %v's, %v", n.Name, got, err)
			}
			for _, host := range n.Hosts {
				if again, err := placeOf(host); err != nil || again != host || len(host) > canon.MaxLength {
					t.Errorf("the host %q is again %q, %v", host, again, err)
				}
			}
			if url := s.URL(n, n); strings.Contains(url, "$TO") {
				t.Errorf("the url %q", url)
			}
		}
	})
}
