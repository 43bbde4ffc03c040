package main

import (
	"flag"
	"runtime/debug"

	"multitext/manager/internal/terminal"
	"multitext/script"
	"multitext/txlog"
)

const versionHelp = `Prints from which source this program was built, and which versions of the script's
language and of the log it reads. The stages print theirs with -version.`

func versionVerb(m *invocation, _ *flag.FlagSet) func([]string) error {
	return func([]string) error {
		version, commit := "unknown", "unknown"
		if info, ok := debug.ReadBuildInfo(); ok {
			version = info.Main.Version + ", " + info.GoVersion
			for _, s := range info.Settings {
				switch {
				case s.Key == "vcs.revision":
					commit = s.Value
				case s.Key == "vcs.modified" && s.Value == "true":
					commit += ", with changes"
				}
			}
		}
		terminal.Line(m.out, "manager of multitext")
		terminal.Line(m.out, "version  %s", version)
		terminal.Line(m.out, "commit   %s", commit)
		terminal.Line(m.out, "formats  scripts %d, log %d", script.Version, txlog.Version)
		return nil
	}
}
