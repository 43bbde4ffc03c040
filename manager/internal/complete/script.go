package complete

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"multitext/manager/internal/terminal"
)

var (
	//go:embed shell/bash.sh
	bash string
	//go:embed shell/zsh.sh
	zsh string
	//go:embed shell/fish.fish
	fish string
)

// Shells are the shells that can be completed in.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Script prints what a shell has to read to complete manager and window. dir is the folder of these
// programs: on Tab the shell starts them and no others, whatever folder the user is in.
func Script(w io.Writer, shell, dir string) error {
	text := map[string]string{"bash": bash, "zsh": zsh, "fish": fish}[shell]
	if text == "" {
		return fmt.Errorf("there is no completion for %q; there is one for: %s", shell, strings.Join(Shells(), ", "))
	}
	_, err := io.WriteString(w, strings.ReplaceAll(text, "DIR", terminal.Word(dir)))
	return err
}
