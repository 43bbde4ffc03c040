package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// traps are the rules against endless webs. A number that looks like a date (/2045/10/, or section
// 8-1774.03 of a law) is not a trap by itself, and a site with such numbers links from one to the
// next as a calendar does. But a calendar leads more than a hundred links away from the seed. Up to
// a hundred links, which is about 2,400 pages, it is treated like any other site. The limit on
// depth is high, because an archive may have a thousand pages linked in a row.
const traps = `reject length   > 2048  as trap-length
reject repeats  > 3     as trap-repeats   # /a/b/a/b/a/b/a: links that are relative by mistake
reject segments > 20    as trap-segments
reject depth    > 1000  as trap-depth     # a web that grows with each request; most crawls set less
reject depth    > 100 and ahead > 2    as trap-calendar  # "next month" without end
reject depth    > 100 and ago   > 200  as trap-calendar  # "last month"
`

// indent indents every line of text, for -h.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// scope is a list of rules in the order in which they are tried. The last rule matches every URL.
type scope []*rule

// rule is one rule.
type rule struct {
	place      string // file:line
	text       string // as written, with single blanks
	keep       bool
	conditions []condition
	name       string // the reason for URLs that it rejects
}

// condition is one condition of a rule.
type condition struct {
	kind  *kind
	text  string
	not   bool
	match func(*subject) bool
}

func (c *condition) holds(s *subject) bool { return c.match(s) != c.not }

func (r *rule) matches(s *subject) bool {
	for i := range r.conditions {
		if !r.conditions[i].holds(s) {
			return false
		}
	}
	return true
}

func (r *rule) all() bool {
	return len(r.conditions) == 1 && r.conditions[0].kind.name == "all" && !r.conditions[0].not
}

// decide returns the first rule that matches s.
func (sc scope) decide(s *subject) *rule {
	for _, r := range sc {
		if r.matches(s) {
			return r
		}
	}
	panic("restrict: the scope has no last rule that matches every URL") // parser.checkEnd ensures that it has
}

// options holds the values of the flags.
type options struct {
	rules          string
	rule           *[]string
	traps          bool
	kept, rejected string
	now            time.Time
	maxHosts       int
	domains, fresh string // files of the state: list of segments, new segment
}

// scope reads the rules: first the traps, then the rules of -rule, then those of the file.
func (o *options) scope() (scope, error) {
	p := &parser{}
	if o.traps {
		p.parse("traps", traps)
	}
	for i, text := range *o.rule {
		p.parse(fmt.Sprintf("-rule %d", i+1), text)
	}
	if o.rules != "" {
		text, err := os.ReadFile(o.rules)
		if err != nil {
			return nil, fmt.Errorf("read the rules: %w", err)
		}
		n := len(p.rules)
		p.parse(o.rules, string(text))
		if n == len(p.rules) && p.errs == nil {
			return nil, fmt.Errorf(`%s: the file has no rule; write at least "keep all"`, o.rules)
		}
	}
	if o.rules == "" && len(*o.rule) == 0 {
		p.parse("no rules", "keep all")
	}
	p.checkEnd()
	return p.rules, errors.Join(p.errs...)
}

// texts returns the texts of words.
func texts(words []word) (all []string) {
	for _, w := range words {
		all = append(all, w.text)
	}
	return all
}
