package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"multitext/script"
)

// given are the vars that a command line gives other values: -var NAME=VALUE, as
// often as wanted.
type given []script.Var

const varUsage = "let `NAME=VALUE` take the place of what the script's [vars] say; may be repeated. All verbs want the same, where dir goes by it"

// flag declares -var for a verb that takes a script.
func (g *given) flag(fs *flag.FlagSet) { fs.Var(g, "var", varUsage) }

// String implements flag.Value.
func (g *given) String() string { return "" }

// Set implements flag.Value.
func (g *given) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("want NAME=VALUE")
	}
	for _, v := range *g {
		if v.Name == name {
			return fmt.Errorf("%s is given twice", name)
		}
	}
	*g = append(*g, script.Var{Name: name, Value: value})
	return nil
}

// call is how this manager would be called with a verb, for the same script and vars.
func (m *invocation) call(verb, path string) string {
	words := []string{shellWord(os.Args[0]), verb}
	for _, v := range m.vars {
		words = append(words, "-var", shellWord(v.Name+"="+v.Value))
	}
	return strings.Join(append(words, shellWord(path)), " ")
}
