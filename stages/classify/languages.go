package main

import (
	"fmt"
	"slices"
	"strings"

	"multitext/classify/language"
	"multitext/stages/internal/run/suggest"
	"multitext/stages/internal/sharing/nodes"
)

// languagesOf reports whether languages must be determined, because some node owns a language or
// the label foreign, and whether they must be named. A label that is a topic does not count as a
// language. languagesOf returns an error if the labels cannot work as intended: languages and
// topics of pages share one set of labels.
func languagesOf(set *nodes.Set, topics []string) (asked, named bool, err error) {
	codes := language.Codes()
	for _, n := range set.All() {
		for _, label := range n.Labels {
			switch {
			case slices.Contains(topics, label):
			case label == nodes.Foreign:
				asked = true
			case slices.Contains(codes, label):
				asked, named = true, true
			case isCode(label), len(topics) > 0: // with a model all possible topics are known
				return false, false, fmt.Errorf("the node %q owns the label %.60q, which is neither a topic nor a "+
					"language that is recognized (%s)%s; a node that owns no pages has labels = []",
					n.Name, label, strings.Join(codes, " "), suggest.Hint(label, slices.Concat(topics, codes)))
			}
		}
	}
	if slices.Contains(topics, nodes.Foreign) {
		return false, false, fmt.Errorf("a topic of the model is %q, which names the pages in foreign languages: "+
			"train it under another label", nodes.Foreign)
	}
	if !asked {
		return false, false, nil
	}
	for _, topic := range topics {
		if slices.Contains(codes, topic) {
			return false, false, fmt.Errorf("the topic %q of the model is the code of a language, whose pages "+
				"would go to its node: train it under another label", topic)
		}
	}
	return asked, named, nil
}

// isCode reports whether a label looks like the code of a language: two letters.
func isCode(label string) bool {
	return len(label) == 2 && strings.Trim(label, "abcdefghijklmnopqrstuvwxyz") == ""
}
