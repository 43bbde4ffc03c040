package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"io"
)

// jsonHelp describes what the verbs print with -json.
//
//go:embed JSON.md
var jsonHelp string

// jsonFlag declares -json. JSON.md describes what it prints.
func jsonFlag(fs *flag.FlagSet) *bool {
	return fs.Bool("json", false, "print JSON; manager help json describes its fields")
}

// A printer is a result that prints itself as text. As JSON its exported fields are printed.
type printer interface{ Print(io.Writer) }

// show prints a result, as text or as JSON.
func show(w io.Writer, asJSON bool, result printer) error {
	if !asJSON {
		result.Print(w)
		return nil
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(result)
}
