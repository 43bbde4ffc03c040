package results

import (
	"flag"
	"fmt"
	"os"
)

// A House is the command line that the programs of all houses share.
type House struct {
	Data, Parameters string // folder of the labelled sets, file of the parameters

	name, out, only string
}

// Flags defines the flags of the house in examples/rigs/NAME. Call Parse when those of its own are
// defined, too.
func Flags(name string) *House {
	h := &House{name: name}
	flag.StringVar(&h.Data, "data", "../shared/data", "the `FOLDER` of the labelled sets, NAME.tar.zst")
	flag.StringVar(&h.out, "out", "", "the `FOLDER` that gets RESULTS.md, and tables and pictures in results/")
	flag.StringVar(&h.only, "only", "",
		"run only these `EXPERIMENTS`, with commas between them; text: none, only print RESULTS.md")
	flag.StringVar(&h.Parameters, "parameters", "examples/rigs/"+name+"/parameters.toml", "the `FILE` of parameters")
	return h
}

// Parse reads the flags, and ends the program if they are not as they should be.
func (h *House) Parse() {
	flag.Parse()
	if h.out == "" || flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%s: -out FOLDER is missing, or there is too much behind the options\n", h.name)
		os.Exit(2)
	}
}

// Check ends the program with code 2 if err, of what was given, is not nil.
func (h *House) Check(err error) { h.exit(2, err) }

// Run makes the experiments that -only names; see the function Run. It ends the program with code 1 if one
// fails.
func (h *House) Run(experiments []Experiment, text string) {
	h.exit(1, Run(experiments, text, h.out, h.only))
}

func (h *House) exit(code int, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", h.name, err)
		os.Exit(code)
	}
}
