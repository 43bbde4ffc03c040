package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

// TestPolicyKnowsEveryReason looks the reasons up where they are declared.
func TestPolicyKnowsEveryReason(t *testing.T) {
	known := map[string]bool{}
	for _, r := range newPolicy() {
		if known[r.reason] {
			t.Errorf("%s has two rules", r.reason)
		}
		known[r.reason] = true
		if r.counts != urlbatch.Tries && r.counts != urlbatch.Outages {
			t.Errorf("%s is counted as %q", r.reason, r.counts)
		}
		if (r.wait == 0) != (r.tries == 1) {
			t.Errorf("%+v: either is tried again or is not", r)
		}
	}
	declared := append(constants(t, "../internal/traffic/exchange/reason.go"), constants(t, "policy.go")...)
	if len(declared) < 20 {
		t.Fatalf("only %d reasons are declared: %q", len(declared), declared)
	}
	for _, reason := range declared {
		if !known[reason] {
			t.Errorf("%s has no rule", reason)
		}
	}
}

// constants returns the values of the string constants that a file declares.
func constants(t *testing.T, file string) (values []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			for _, v := range spec.(*ast.ValueSpec).Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					value, _ := strconv.Unquote(lit.Value)
					values = append(values, value)
				}
			}
		}
	}
	return values
}

// TestPolicyOutlivesAnOutage holds the promise that half an hour without a network loses nothing:
// the last try of what may be the network's fault comes later than that.
func TestPolicyOutlivesAnOutage(t *testing.T) {
	network := 0
	for _, r := range newPolicy() {
		if r.tries < 7 {
			continue
		}
		network++
		if r.counts != urlbatch.Outages {
			t.Errorf("%s is counted as %s", r.reason, r.counts)
		}
		if r.all() < 30*time.Minute {
			t.Errorf("%s is given up after %v", r.reason, r.all())
		}
	}
	if network < 8 {
		t.Errorf("only %d reasons are the network's", network)
	}
}

func TestRetryFlag(t *testing.T) {
	p := newPolicy()
	for _, s := range []string{"*=1", "connect-*=4", "reset=3,10s"} {
		if err := p.set(s); err != nil {
			t.Fatal(err)
		}
	}
	for reason, want := range map[string]rule{
		"connect-timeout": {tries: 4, wait: 40 * time.Second},
		"connect-failed":  {tries: 4, wait: 40 * time.Second},
		"reset":           {tries: 3, wait: 10 * time.Second},
		"head-timeout":    {tries: 1, wait: 40 * time.Second},
		"bad-scheme":      {tries: 1},
		"never-heard-of":  {tries: 3, wait: time.Minute},
	} {
		if got := p.of(reason); got.tries != want.tries || got.wait != want.wait {
			t.Errorf("%s: %d tries, %v; want %d, %v", reason, got.tries, got.wait, want.tries, want.wait)
		}
	}
	for _, bad := range []string{
		"", "reset", "reset=", "reset=0", "reset=-1", "reset=x", "reset=3,", "reset=3,10", "reset=3,-1s", "reset=3,2h",
		"rest=3", "bad-scheme=3", "[=3", "=3", "reset=99999999999",
	} {
		if err := p.set(bad); err == nil {
			t.Errorf("-retry %s was taken", bad)
		}
	}
}

// TestPolicyIsPrinted: -policy, which is where a user reads them, has a line for every reason.
func TestPolicyIsPrinted(t *testing.T) {
	var out, errs bytes.Buffer
	if code := stage.Run(t.Context(), tool(), setup, []string{"-policy"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	for _, want := range []string{
		"reason               tries  first wait  all    what happened\n",
		"dns-failed           7      40s         42m    no name server returned the address\n",
		"service-unavailable  5      5m          1h15m  503: not available now; archived after the last try\n",
		"bad-line             1      -           -      the line is not a record\n",
		"over-share           0      -           -      no try lost: the host has used its -share of the hour\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("-policy lacks %q:\n%s", want, &out)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1+len(newPolicy())+len(putOffs()) {
		t.Errorf("%d lines are printed", lines)
	}
	for _, r := range constants(t, "outcome.go") {
		if !strings.Contains(out.String(), r+" ") {
			t.Errorf("-policy lacks %s", r)
		}
	}
}
