//go:build !race

package stagetest

// underRace says that the race detector is on, which takes several times the memory.
const underRace = false
