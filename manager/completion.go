package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"multitext/manager/internal/complete"
)

const completionHelp = `Prints what a shell has to read to complete the command lines of manager and window on Tab:
verbs, flags, names of vars, stages, queues and batches of the script that the line names, and
files. SHELL is bash, zsh or fish. To have it in every new shell, add a line to its start file:

  bash  ~/.bashrc                   source <(DIR/manager completion bash)
  zsh   ~/.zshrc                    source <(DIR/manager completion zsh)
  fish  ~/.config/fish/config.fish  DIR/manager completion fish | source

DIR is the folder of manager. On Tab the shell calls the programs of this folder.`

func completionVerb(m *invocation, _ *flag.FlagSet) func([]string) error {
	return func(args []string) error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		if err := complete.Script(m.out, args[0], filepath.Dir(self)); err != nil {
			return fmt.Errorf("%w: %w", errUsage, err)
		}
		return nil
	}
}

// completed describes the verbs for package complete.
func completed() *complete.Program {
	p := &complete.Program{}
	names := []string{"json"}
	for _, v := range verbs() {
		names = append(names, v.name)
		flags := func() *flag.FlagSet {
			fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
			v.declare(&invocation{}, fs)
			return fs
		}
		p.Verbs = append(p.Verbs, complete.Verb{Name: v.name, Short: v.short, Args: v.args, Flags: flags,
			Choices: map[string][]string{"SHELL": complete.Shells(), "form": forms()}})
	}
	p.Verbs = append(p.Verbs, complete.Verb{Name: "help", Short: "print help", Args: "[VERB]",
		Flags:   func() *flag.FlagSet { return flag.NewFlagSet("help", flag.ContinueOnError) },
		Choices: map[string][]string{"VERB": names}})
	return p
}
