package main

import (
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// Each defect is seen by the chains of interrupted hand-overs, or they would prove nothing.
func TestHandoversSeeDefects(t *testing.T) {
	l := newLine(t, folders())
	for name, defect := range map[string][]crash.Change{
		"removed before the commit": {{
			File: "stages/gofer/visit.go",
			Old:  "	v.ledger.add(v.peer.Name, b.name, entry{fate: taken})\n",
			New:  "	v.ledger.add(v.peer.Name, b.name, entry{fate: taken})\n	place.Remove(ctx, b.name)\n",
		}},
		"no ledger": {{
			File: "stages/gofer/ledger.go",
			Old:  "	value, ok, err := l.set.Get(ledgerKey(node, name))",
			New:  "	value, ok, err := []byte(nil), false, error(nil)",
		}},
		"a ledger outside of the transaction": {{
			File: "stages/gofer/ledger.go",
			Old:  "	value, ok, err := l.set.Get(ledgerKey(node, name))",
			New: "	value, ok, err := []byte(nil), false, error(nil)\n" +
				"	if _, err := os.Stat(\"taken-\" + node + name); err == nil {\n		return entry{fate: taken}, nil\n	}",
		}, {
			File: "stages/gofer/ledger.go",
			Old:  "	l.added.Add(ledgerKey(node, name), e.encode())",
			New:  "	if e.fate == taken {\n		os.WriteFile(\"taken-\"+node+name, nil, 0o666)\n	}",
		}, {
			File: "stages/gofer/ledger.go", Old: "	\"errors\"\n", New: "	\"errors\"\n	\"os\"\n",
		}},
		"the hash is not looked at": {{
			File: "stages/gofer/visit.go",
			Old:  "	case sum != b.sum:",
			New:  "	case false:",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := l.spoilt(t, defect...)
			for seed := range uint64(60) {
				if _, err := l.interrupt(t, seed, goferKilled); err != nil {
					t.Logf("red at chain %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			t.Error("60 chains did not see it")
		})
	}
}
