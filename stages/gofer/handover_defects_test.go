package main

import (
	"strings"
	"testing"

	"multitext/txlog/crash"
)

// defectMark is the variable that names the defect which a spoilt gofer has.
const defectMark = "GOFER_DEFECT"

// The defects. One program has them all, and each shows when it is named.
const (
	early    = "removed before the commit"
	noLedger = "no ledger"
	outside  = "a ledger outside of the transaction"
	noHash   = "the hash is not looked at"
	none     = "none"
)

func spoiling() []crash.Change {
	named := func(defect string) string { return `os.Getenv("` + defectMark + `") == "` + defect + `"` }
	const (
		taking  = "	v.ledger.add(v.peer.Name, b.name, entry{fate: taken})\n"
		finding = "	value, ok, err := l.set.Get(l.key(node, name))\n"
		adding  = "	l.added.Add(l.key(node, name), e.encode())\n"
		hashing = "	case sum != b.sum:"
		imports = "	\"errors\"\n"
	)
	return []crash.Change{
		{File: "stages/gofer/ledger.go", Old: imports, New: imports + "	\"os\"\n"},
		{File: "stages/gofer/visit.go", Old: taking, New: taking + "	if " + named(early) +
			" {\n		place, _ := v.open(ctx, v.peer)\n		place.Remove(ctx, b.name)\n	}\n"},
		{File: "stages/gofer/visit.go", Old: hashing, New: "	case sum != b.sum && !(" + named(noHash) + "):"},
		{File: "stages/gofer/ledger.go", Old: finding, New: finding +
			"	if " + named(noLedger) + " || " + named(outside) + " {\n		ok = false\n	}\n" +
			"	if _, err := os.Stat(\"taken-\" + node + name); err == nil {\n		return entry{fate: taken}," +
			" nil\n	}\n"},
		{File: "stages/gofer/ledger.go", Old: adding, New: adding +
			"	if e.fate == taken && " + named(outside) +
			" {\n		os.WriteFile(\"taken-\"+node+name, nil, 0o666)\n	}\n"},
	}
}

// Each defect is seen by the chains of interrupted hand-overs, or they would prove nothing; without
// one of them the same program is not found wanting.
func TestHandoversSeeDefects(t *testing.T) {
	l := newLine(t, folders()).spoilt(t, spoiling()...)
	for defect, chains := range map[string]uint64{early: 60, noLedger: 60, outside: 60, noHash: 60, none: 4} {
		t.Run(defect, func(t *testing.T) {
			l := *l
			l.defect = defect
			for seed := range chains {
				if _, err := l.interrupt(t, seed, goferKilled); err != nil {
					if defect == none {
						t.Fatal(err)
					}
					t.Logf("red at chain %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
					return
				}
			}
			if defect != none {
				t.Errorf("%d chains did not see it", chains)
			}
		})
	}
}
