package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"multitext/manager/internal/given"
	"multitext/manager/internal/terminal"
	"multitext/script"
)

// vars contains the vars of a command line. -var may be repeated.
type vars struct {
	list  []script.Var
	words []string // the values of -var, as they were given
}

const varUsage = given.Usage + "If dir depends on the var, set it with every verb"

// add parses the value of one -var.
func (g *vars) add(text string) error {
	v, err := given.Var(text)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(g.list, func(other script.Var) bool { return v.Name == other.Name }) {
		return fmt.Errorf("%s is given twice", v.Name)
	}
	g.list, g.words = append(g.list, v), append(g.words, text)
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
