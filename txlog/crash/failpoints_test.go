package crash

import (
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
	for path, text := range texts {
		if strings.Contains(activate(text), "//failpoint:") {
			t.Errorf("%s has a failpoint that is not as package failpoint says", path)
		}
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
