package partition

import (
	"slices"
	"strings"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/run/suggest"
)

// Modes of crawlers (Cho and Garcia-Molina, "Parallel crawlers", 2002): what becomes of the links
// of others.
const (
	Send  = "send"  // exchange: they are sent to their owners
	Drop  = "drop"  // firewall: they are dropped
	Aside = "aside" // cross-over: they are followed if there is nothing else to fetch
	Later = "later" // exchange in batches: they are sent together
)

// Modes returns the modes.
func Modes() []string { return []string{Send, Drop, Aside, Later} }

// CheckMode returns an error of usage if mode, the value of -others, is none.
func CheckMode(mode string) error {
	if slices.Contains(Modes(), mode) {
		return nil
	}
	return stage.Usagef("-others %.40q: want %s%s", mode, strings.Join(Modes(), ", "), suggest.Hint(mode, Modes()))
}
