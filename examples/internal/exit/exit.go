// Package exit has the exit codes of the examples' programs, and what is said with them: 0 when
// all went well, 1 when something failed, 2 for wrong usage.
package exit

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// Misused is the exit code of a program whose arguments were refused with err. For flag.ErrHelp,
// when the help has been printed, it is 0.
func Misused(stderr io.Writer, program string, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n%[1]s -h shows the flags\n", program, err)
	return 2
}

// Ended is the exit code of a program whose work ended with err, nil if it went well.
func Ended(stderr io.Writer, program string, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", program, err)
	return 1
}
