package main

import (
	"flag"

	"multitext/manager/internal/built"
	"multitext/manager/internal/terminal"
	"multitext/script"
	"multitext/txlog"
)

const versionHelp = `Prints the version of the source from which this program was built, and the versions of the
script language and of the log that it reads. A stage prints its versions with -version.`

func versionVerb(m *invocation, _ *flag.FlagSet) func([]string) error {
	return func([]string) error {
		version, commit := built.From()
		terminal.Line(m.out, "manager of multitext")
		terminal.Line(m.out, "version  %s", version)
		terminal.Line(m.out, "commit   %s", commit)
		terminal.Line(m.out, "formats  scripts %d, log %d", script.Version, txlog.Version)
		return nil
	}
}
