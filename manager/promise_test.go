package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests and flags that the package comment names are there.
func TestPromisesNameTests(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, pattern := range []string{"*_test.go", "internal/*/*_test.go", "../txlog/*_test.go",
		"../examples/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
	}
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(doc), -1)
	for _, name := range names {
		if !strings.Contains(source.String(), "func "+name+"(t *testing.T)") {
			t.Errorf("the comment names %s, and there is no such test", name)
		}
	}
	script := regexp.MustCompile(`The command (\.ci/\w+) runs`).FindStringSubmatch(string(doc))
	if script == nil {
		t.Fatal("the comment names no command that runs all of it")
	}
	text, err := os.ReadFile(filepath.Join("..", script[1]))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`rig \./manager .*`).FindString(string(text))
	flags := regexp.MustCompile(` -(\w+)=`).FindAllStringSubmatch(command, -1)
	for _, f := range flags {
		if name := f[1]; flag.Lookup(name) == nil && flag.Lookup("test."+name) == nil {
			t.Errorf("%s gives the flag -%s, and there is none", script[1], name)
		}
	}
	if len(names) < 15 || len(flags) < 7 {
		t.Errorf("the comment names %d tests and %d flags; it was cut, or this test reads it wrong", len(names),
			len(flags))
	}
}
