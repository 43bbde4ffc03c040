package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"multitext/txlog/crash"
)

const module = "multitext/"

// strange are packages that a program below manager must not be linked with: the manager knows
// processes, files and transactions, and nothing of URLs or of what is in a batch. window is a web
// server, and knows nothing else of crawling.
var strange = map[string][]string{
	".": {"multitext/stages", "multitext/classify", "multitext/manager/internal/window", "net/http", "net/url",
		"golang.org/x/net"},
	"./window": {"multitext/stages", "multitext/classify", "multitext/manager/internal/runner", "golang.org/x/net"},
}

func TestManagerKnowsNothingOfCrawling(t *testing.T) {
	for program, strange := range strange {
		out, err := crash.Bounded(t, "go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		deps := strings.Fields(string(out))
		if !slices.Contains(deps, "multitext/txlog") {
			t.Fatalf("this is no list of what %s is linked with: %q", program, deps)
		}
		for _, dep := range deps {
			for _, s := range strange {
				if within(dep, s) {
					t.Errorf("%s is linked with %s", program, dep)
				}
			}
		}
	}
}

// within reports whether a package is root or lies below it.
func within(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

// A listed package, as go list prints it.
type listed struct {
	ImportPath   string
	Name         string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// TestImportsRunOneWay holds every import between packages of this module
// against the rule of the house. Tests are held to it as well, but for those of
// the examples, which look into what a crawl has left.
func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		for _, wrong := range forbidden(p) {
			t.Error(wrong)
		}
	}
}

// TestProgramsHaveNamesOfTheirOwn: go build writes all programs into one folder, each by the last
// word of its path. Of two by one name it silently keeps one.
func TestProgramsHaveNamesOfTheirOwn(t *testing.T) {
	programs := map[string]string{}
	for _, p := range packages(t) {
		if p.Name != "main" {
			continue
		}
		name := path.Base(p.ImportPath)
		if other, taken := programs[name]; taken {
			t.Errorf("%s and %s are both built as %s", other, p.ImportPath, name)
		}
		programs[name] = p.ImportPath
	}
	if programs["manager"] == "" {
		t.Errorf("these are not all programs: %v", programs)
	}
}

// packages are all of this module.
func packages(t *testing.T) (all []listed) {
	t.Helper()
	out, err := crash.Bounded(t, "go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports",
		"multitext/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages were found", len(all))
	}
	return all
}

// forbidden are the imports of a package that the rule does not allow. Any test may import what
// ends programs at the worst instant, and a stage's all that stages share. No product links test
// support.
func forbidden(p listed) (wrong []string) {
	tests := slices.Concat(p.TestImports, p.XTestImports)
	if room(p.ImportPath) == "examples" {
		tests = nil
	}
	tests = slices.DeleteFunc(tests, func(to string) bool { return to == module+"txlog/crash" })
	tests = slices.DeleteFunc(tests, func(to string) bool {
		return within(to, module+"stages/internal") && within(p.ImportPath, module+"stages")
	})
	for _, to := range p.Imports {
		if support(to) && !support(p.ImportPath) {
			wrong = append(wrong, fmt.Sprintf("%s must not import %s, which is for tests", p.ImportPath, to))
		}
	}
	for _, to := range slices.Concat(p.Imports, tests) {
		if strings.HasPrefix(to, module) && !allowed(p.ImportPath, to) {
			wrong = append(wrong, fmt.Sprintf("%s must not import %s", p.ImportPath, to))
		}
	}
	return wrong
}

// support tells whether a package is for tests alone: it lies in a folder testkit, or in
// txlog/crash.
func support(pkg string) bool {
	return slices.Contains(strings.Split(pkg, "/"), "testkit") || within(pkg, module+"txlog/crash")
}

// allowed is the rule: script, txlog and classify import no other room; manager
// imports script and txlog; a stage imports what stages share, and classify;
// what stages share imports no stage, and of its rooms those below; examples import nobody but
// classify, which they measure.
func allowed(from, to string) bool {
	from, to = strings.TrimPrefix(from, module), strings.TrimPrefix(to, module)
	if room(from) == "examples" && within(to, "classify") {
		return true
	}
	if room(from) != "stages" {
		return room(from) == room(to) || room(from) == "manager" && (room(to) == "script" || room(to) == "txlog")
	}
	if within(from, "stages/internal") && within(to, "stages/internal") {
		return sharedAllowed(shared(from), shared(to))
	}
	stage := strings.Join(strings.SplitN(from, "/", 3)[:2], "/")
	return within(to, "stages/internal") || within(to, "classify") || within(to, stage)
}

// below are the rooms of stages/internal, each with those that it may import.
var below = map[string][]string{
	"run":      {},
	"state":    {"run"},
	"web":      {},
	"formats":  {"run", "web"},
	"traffic":  {"run", "state", "web", "formats"},
	"frontier": {"run", "state", "web", "formats", "traffic"},
	"sharing":  {"run", "web", "formats"},
	"testkit":  {"run", "state", "web", "formats", "traffic", "frontier", "sharing"},
}

// sharedAllowed tells whether a room of stages/internal may import another.
func sharedAllowed(from, to string) bool { return from == to || slices.Contains(below[from], to) }

// shared is the room of a package below stages/internal.
func shared(pkg string) string {
	room, _, _ := strings.Cut(strings.TrimPrefix(pkg, "stages/internal/"), "/")
	return room
}

// TestSharedRooms: a package that stages share lies in one of the rooms.
func TestSharedRooms(t *testing.T) {
	found := map[string]bool{}
	for _, p := range packages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		if !within(pkg, "stages/internal") || pkg == "stages/internal" {
			continue
		}
		if _, known := below[shared(pkg)]; !known {
			t.Errorf("%s lies in no room of stages/internal", pkg)
		}
		found[shared(pkg)] = true
	}
	if len(found) != len(below) {
		t.Errorf("rooms with packages: %v", found)
	}
}

// TestRoomsOfTheManager: a room of the manager imports only rooms that stand below it in the
// comment of package internal, which names them all.
func TestRoomsOfTheManager(t *testing.T) {
	text, err := os.ReadFile("internal/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{}
	for i, line := range regexp.MustCompile(`(?m)^//\t([a-z/, ]+?)  `).FindAllStringSubmatch(string(text), -1) {
		for j, name := range strings.Split(line[1], ", ") {
			place[name] = 10*i + j
		}
	}
	const rooms = module + "manager/internal/"
	found := 0
	for _, p := range packages(t) {
		from, ok := strings.CutPrefix(p.ImportPath, rooms)
		if !ok {
			continue
		}
		found++
		if _, named := place[from]; !named {
			t.Errorf("the comment of package internal does not name %s", from)
		}
		for _, to := range p.Imports {
			if to, ok := strings.CutPrefix(to, rooms); ok && place[to] <= place[from] {
				t.Errorf("%s imports %s, which stands above it", from, to)
			}
		}
	}
	if found != len(place) {
		t.Errorf("there are %d rooms, and the comment names %d", found, len(place))
	}
}

// room is the first folder of a package's path within the module.
func room(pkg string) string {
	room, _, _ := strings.Cut(strings.TrimPrefix(pkg, module), "/")
	return room
}

// The rule is one that can be broken.
func TestImportRuleForbids(t *testing.T) {
	for _, edge := range []struct {
		from, to string
		ok       bool
	}{
		{"script", "script/draw", true},
		{"script/draw", "script", true},
		{"script", "txlog", false},
		{"txlog", "script", false},
		{"txlog/crash", "manager/internal/crawl", false},
		{"classify", "stages/internal/formats/warc", false},
		{"manager", "txlog", true},
		{"manager/internal/view", "script", true},
		{"manager", "stages/internal/run/report", false},
		{"manager/internal/crawl", "classify", false},
		{"stages/fetch", "stages/internal/formats/warc", true},
		{"stages/fetch", "classify", true},
		{"stages/extract", "stages/extract/internal/links", true},
		{"stages/extract", "stages/extractor", false},
		{"stages/fetch", "stages/resolve", false},
		{"stages/fetch", "txlog", false},
		{"stages/internal/formats/warc", "stages/fetch", false},
		{"stages/internal/formats/warc", "script", false},
		{"stages/internal/formats/warc", "stages/internal/run/output", true},
		{"stages/internal/run/output", "stages/internal/formats/warc", false},
		{"stages/internal/web/canon", "stages/internal/run/output", false},
		{"stages/internal/traffic/exchange", "stages/internal/sharing/nodes", false},
		{"stages/fetch", "stages/internal/testkit/stagetest", false},
		{"stages/gofer", "stages/gofer/internal/testkit/servertest", false},
		{"stages/gofer/internal/testkit/storetest", "stages/gofer/internal/store", true},
		{"stages/extract", "classify/testkit", false},
		{"manager/internal/runner", "manager/internal/testkit", false},
		{"manager", "txlog/crash", false},
		{"examples/testweb", "stages/internal/web/canon", false},
		{"examples/testweb", "txlog", false},
		{"examples/rigs/study", "classify/terms", true},
	} {
		p := listed{ImportPath: module + edge.from, Imports: []string{"fmt", module + edge.to}}
		if got := len(forbidden(p)) == 0; got != edge.ok {
			t.Errorf("%s imports %s: allowed is %v, want %v", edge.from, edge.to, got, edge.ok)
		}
	}
	killing := listed{ImportPath: module + "stages/gofer", TestImports: []string{module + "txlog/crash"}}
	if wrong := forbidden(killing); len(wrong) > 0 {
		t.Errorf("a test: %q", wrong)
	}
	killing.Imports, killing.TestImports = killing.TestImports, []string{module + "txlog"}
	if wrong := forbidden(killing); len(wrong) != 3 {
		t.Errorf("a product that links it, and a test that goes beyond it: %q", wrong)
	}
}
