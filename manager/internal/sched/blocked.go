package sched

// Blocked reports whether some stage may not start in one environment and may
// in another.
func (t *Table) Blocked(now, then Environment) bool {
	for _, st := range t.stages {
		if !t.mayStart(st, &now, true) && t.mayStart(st, &then, true) {
			return true
		}
	}
	return false
}

// Disk measures the condition on free disk, which is the same for all stages.
func (t *Table) Disk(env Environment) Condition { return diskFree(t, nil, &env) }
