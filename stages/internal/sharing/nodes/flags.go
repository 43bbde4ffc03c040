package nodes

import (
	"flag"

	"multitext/stages/internal/run/stage"
)

// Flags are -nodes and -node: the file of nodes, and the node of this crawler.
type Flags struct {
	File, Name string
}

// Declare declares the flags.
func (f *Flags) Declare(fs *flag.FlagSet) {
	fs.StringVar(&f.File, "nodes", "", "read the nodes from `FILE`, a nodes.toml")
	fs.StringVar(&f.Name, "node", "", "`NAME` of this crawler's node in that file")
}

// Load reads the file and finds this crawler's node.
func (f *Flags) Load() (all *Set, me *Node, err error) {
	if f.File == "" || f.Name == "" {
		return nil, nil, stage.Usagef("-nodes FILE and -node NAME must be given, both: " +
			"who takes part, and which node this is")
	}
	if all, err = Load(f.File); err != nil {
		return nil, nil, err
	}
	if me, err = all.ByName(f.Name); err != nil {
		return nil, nil, stage.Usagef("-node: %w", err)
	}
	return all, me, nil
}
