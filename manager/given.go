package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"multitext/manager/internal/terminal"
	"multitext/script"
)

// given contains the vars of a command line: -var NAME=VALUE, or -var NAME for the value of that
// environment variable. -var may be repeated.
type given struct {
	list  []script.Var
	words []string // the values of -var, as they were given
}

const varUsage = "set a var of the script: `NAME=VALUE`, or NAME alone for the value of that environment variable, " +
	"which ps does not show; may be repeated. If dir depends on the var, set it with every verb"

// add parses the value of one -var.
func (g *given) add(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		value, ok = os.LookupEnv(name)
	}
	if !ok || name == "" {
		return fmt.Errorf("want NAME=VALUE, or NAME if the environment has a variable of that name")
	}
	if slices.ContainsFunc(g.list, func(v script.Var) bool { return v.Name == name }) {
		return fmt.Errorf("%s is given twice", name)
	}
	g.list, g.words = append(g.list, script.Var{Name: name, Value: value}), append(g.words, text)
	return nil
}

// call returns the command line of a verb of this manager, for the same script and vars.
func (m *invocation) call(verb, path string) string {
	words := []string{terminal.Word(os.Args[0]), verb}
	for _, word := range m.vars.words {
		words = append(words, "-var", terminal.Word(word))
	}
	return strings.Join(append(words, terminal.Word(path)), " ")
}
