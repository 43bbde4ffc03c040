package crash

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Descendants returns the processes below a process that have not ended, according to /proc, each
// after its parent.
func Descendants(pid int) (all []int) {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		child, _ := strconv.Atoi(strings.Split(name, "/")[2])
		if state, parent := stat(child); state != "" && state != "Z" {
			children[parent] = append(children[parent], child)
		}
	}
	var visit func(int)
	visit = func(p int) {
		for _, c := range children[p] {
			all = append(all, c)
			visit(c)
		}
	}
	visit(pid)
	return all
}

// Alive reports whether a process has not ended.
func Alive(pid int) bool {
	state, _ := stat(pid)
	return state != "" && state != "Z"
}

// stat returns the state and the parent of a process. The state is empty if there is no such
// process.
func stat(pid int) (state string, parent int) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}
