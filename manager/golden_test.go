package main

import (
	"encoding/json"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
)

var update = flag.Bool("update", false, "write the golden files of -json")

// What a verb prints with -json about a fixed crawl is what it has always printed. Every field that
// JSON.md names is in one of these files, so none can be renamed or lost unseen.
func TestJSONIsStable(t *testing.T) {
	r := newRecorded(t)
	var files []goldenFile
	print := func(name string, code int, verb string, args ...string) {
		text := r.says(code, verb, args...)
		golden(t, name, text)
		files = append(files, goldenFile{name, text, printed()[verb]})
	}
	release := r.held()
	print("status", 0, "status")
	print("why", 0, "why", "one")
	print("log", 0, "log")
	print("show", 0, "show", "2")
	print("show-running", 0, "show", "7")
	print("ls", 0, "ls")
	print("verify", crawl.ExitDamaged, "verify")
	print("check", 0, "check")
	release()
	r.crashed()
	print("status-crashed", 0, "status")
	print("show-cut-off", 0, "show", "7")
	print("run-n", 0, "run", "-n")
	r.remove(third)
	print("recover", crawl.ExitDamaged, "recover", "-n")

	all := map[string]string{}
	seen := map[string]bool{}
	for _, f := range files {
		fieldsOf(f.kind, all)
		for in := json.NewDecoder(strings.NewReader(f.text)); ; {
			var value any
			if err := in.Decode(&value); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			see(value, f.kind, seen)
		}
	}
	for name, rows := range all {
		for row := range strings.SplitSeq(rows, "\n") {
			field, _, _ := strings.Cut(row, " ")
			if !seen[name+"."+field] {
				t.Errorf("no golden file shows field %s of %s", field, name)
			}
		}
	}
}

// A goldenFile is what a verb printed, and its type.
type goldenFile struct {
	name, text string
	kind       reflect.Type
}

// see marks the fields that a value shows.
func see(value any, kind reflect.Type, seen map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, member := range v {
			see(member, kind.Elem(), seen)
		}
	case map[string]any:
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind.Kind() != reflect.Struct || kind == reflect.TypeFor[time.Time]() {
			return
		}
		for _, f := range fields(kind) {
			if member, shown := v[f.name]; shown {
				seen[kind.Name()+"."+f.name] = true
				see(member, f.kind, seen)
			}
		}
	}
}
