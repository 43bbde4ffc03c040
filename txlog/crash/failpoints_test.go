package crash

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each failpoint that has a statement is named by a test, which would otherwise prove nothing
// of it. That a name of a test is in the source Failpoints sees to.
func TestEveryFailpointIsUsed(t *testing.T) {
	root := Root(t)
	texts, err := sources(root, false)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := sources(root, true)
	if err != nil {
		t.Fatal(err)
	}
	names := statementNames(texts)
	if len(names) < 20 {
		t.Errorf("only %d failpoints were found", len(names))
	}
	for name := range names {
		used := false
		for _, test := range tests {
			used = used || strings.Contains(test, strconv.Quote(name))
		}
		if !used {
			t.Errorf("no test names the failpoint %q", name)
		}
	}
}

// The steps are named by no test: a stage may be killed at any of them. So they are listed here.
func TestSteps(t *testing.T) {
	texts, err := sources(Root(t), false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for path, text := range texts {
		for _, found := range steps.FindAllStringSubmatch(text, -1) {
			got = append(got, found[2])
		}
		own := strings.Contains(path, "/txlog/crash/") // which tells of failpoints
		if !own && strings.Contains(activate(text), "//failpoint:") && !strings.HasSuffix(path, "manager/doc.go") {
			t.Errorf("%s has a failpoint that is not as package failpoint says", path)
		}
	}
	slices.Sort(got)
	want := []string{"batch-copied", "batch-opened", "batch-removed", "batch-taken", "exit", "output-closed",
		"output-created", "output-named", "output-written", "place-listed", "report-created", "report-written"}
	if !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
}

func TestActivate(t *testing.T) {
	const source = "// Package a.\npackage a\n\nfunc f() {\n" +
		"\t//failpoint:not-synced return nil\n\t\t//failpoint:closed\n}\n"
	const want = "// Package a.\npackage a; import \"multitext/txlog/crash/failpoint\"\n\nfunc f() {\n" +
		"\tif failpoint.On(\"not-synced\") { return nil }\n\t\tfailpoint.Step(\"closed\")\n}\n"
	if got := activate(source); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
