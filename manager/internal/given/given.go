// Package given parses the flag -var, by which a command line sets vars of a script.
package given

import (
	"errors"
	"os"
	"strings"

	"multitext/script"
)

// Usage is the help of -var.
const Usage = "set a var of the script: `NAME=VALUE`, or NAME alone for the value of that environment variable, " +
	"which ps does not show; may be repeated. "

// Var parses the value of one -var: NAME=VALUE, or NAME for the value of that environment variable.
func Var(text string) (v script.Var, err error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		value, ok = os.LookupEnv(name)
	}
	if !ok || name == "" {
		return v, errors.New("want NAME=VALUE, or NAME if the environment has a variable of that name")
	}
	return script.Var{Name: name, Value: value}, nil
}
