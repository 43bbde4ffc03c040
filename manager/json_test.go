package main

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/forecast"
	"multitext/manager/internal/programs"
	"multitext/manager/internal/verify"
	"multitext/manager/internal/view"
)

// printed is what each verb with -json prints.
func printed() map[string]reflect.Type {
	return map[string]reflect.Type{
		"check":   reflect.TypeFor[programs.Rows](),
		"log":     reflect.TypeFor[view.Transaction](),
		"ls":      reflect.TypeFor[view.Batches](),
		"recover": reflect.TypeFor[forecast.Recovery](),
		"run":     reflect.TypeFor[forecast.Forecast](),
		"show":    reflect.TypeFor[view.Transaction](),
		"status":  reflect.TypeFor[view.Status](),
		"verify":  reflect.TypeFor[verify.Verification](),
		"why":     reflect.TypeFor[view.Why](),
	}
}

// JSON.md names exactly the verbs that have -json, and the fields that they print, each with its
// type, in the order of the types.
func TestJSONIsDocumented(t *testing.T) {
	text, err := os.ReadFile("JSON.md")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := (&invocation{out: &out}).run([]string{"help", "json"}); code != 0 || out.String() != string(text) {
		t.Errorf("manager help json: exit code %d\n%s", code, out.String())
	}
	named := map[string]string{}
	var verbTable, order []string
	for i, part := range strings.Split(string(text), "\n## ") {
		name, body, _ := strings.Cut(part, "\n")
		if i == 0 {
			verbTable = cells(body)
			continue
		}
		named[name] = strings.Join(cells(body), "\n")
		order = append(order, name)
	}
	want := map[string]string{}
	var verbsOf []string
	for _, v := range verbs() {
		fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
		v.setup(&invocation{}, fs)
		if kind := printed()[v.name]; kind != nil {
			verbsOf = append(verbsOf, v.name+" "+shape(kind))
			fieldsOf(kind, want)
		} else if fs.Lookup("json") != nil {
			t.Errorf("%s has -json, and printed does not say what it prints", v.name)
		}
	}
	slices.Sort(verbsOf)
	if !slices.Equal(verbTable, verbsOf) {
		t.Errorf("JSON.md has the verbs\n%q, there are\n%q", verbTable, verbsOf)
	}
	for name, fields := range want {
		if named[name] != fields {
			t.Errorf("JSON.md says that %s has\n%s\nit has\n%s", name, named[name], fields)
		}
	}
	if len(order) != len(want) {
		t.Errorf("JSON.md describes %q, and verbs print %d types", order, len(want))
	}
}

// cells are the first two cells of the rows of tables whose first cell is in backquotes.
func cells(text string) (rows []string) {
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|").FindAllStringSubmatch(text, -1) {
		rows = append(rows, row[1]+" "+row[2])
	}
	return rows
}

// fieldsOf adds the fields of the structs within a type, as JSON.md should have them.
func fieldsOf(kind reflect.Type, all map[string]string) {
	switch kind.Kind() {
	case reflect.Pointer, reflect.Slice:
		fieldsOf(kind.Elem(), all)
		return
	case reflect.Struct:
		if kind == reflect.TypeFor[time.Time]() || all[kind.Name()] != "" {
			return
		}
	default:
		return
	}
	var rows []string
	for _, f := range fields(kind) {
		rows = append(rows, f.name+" "+f.shape)
	}
	all[kind.Name()] = strings.Join(rows, "\n")
	for _, f := range fields(kind) {
		fieldsOf(f.kind, all)
	}
}

// A field is one that JSON shows.
type field struct {
	name, shape string
	kind        reflect.Type
}

func fields(kind reflect.Type) (out []field) {
	for _, f := range reflect.VisibleFields(kind) {
		name, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		what := shape(f.Type)
		if how != "" {
			what += "?"
		}
		out = append(out, field{name, what, f.Type})
	}
	return out
}

// shape is a type in the words of JSON.md.
func shape(kind reflect.Type) string {
	switch kind.Kind() {
	case reflect.Pointer:
		return shape(kind.Elem()) + " or null"
	case reflect.Slice:
		return "[" + shape(kind.Elem()) + "]"
	case reflect.Map:
		return "{" + shape(kind.Elem()) + "}"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct:
		if kind == reflect.TypeFor[time.Time]() {
			return "time"
		}
		return kind.Name()
	}
	return "number"
}
