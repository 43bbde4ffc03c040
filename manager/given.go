package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"multitext/manager/internal/terminal"
	"multitext/script"
)

// given are the vars that a command line gives other values: -var NAME=VALUE, or -var NAME
// for the value of that environment variable, as often as wanted.
type given struct {
	list  []script.Var
	words []string // as they were given
}

const varUsage = "give a var of the script another `NAME=VALUE`, or, by NAME alone, the value of that environment variable, " +
	"which ps does not show; may be repeated. If dir depends on it, give it to every verb"

// flag declares -var for a verb that takes a script.
func (g *given) flag(fs *flag.FlagSet) { fs.Var(g, "var", varUsage) }

// String implements flag.Value.
func (g *given) String() string { return "" }

// Set implements flag.Value.
func (g *given) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		value, ok = os.LookupEnv(name)
	}
	if !ok || name == "" {
		return fmt.Errorf("want NAME=VALUE, or NAME where the environment has a variable of that name")
	}
	for _, v := range g.list {
		if v.Name == name {
			return fmt.Errorf("%s is given twice", name)
		}
	}
	g.list, g.words = append(g.list, script.Var{Name: name, Value: value}), append(g.words, text)
	return nil
}

// call is how this manager would be called with a verb, for the same script and vars.
func (m *invocation) call(verb, path string) string {
	words := []string{terminal.Word(os.Args[0]), verb}
	for _, word := range m.vars.words {
		words = append(words, "-var", terminal.Word(word))
	}
	return strings.Join(append(words, terminal.Word(path)), " ")
}
