package script

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// override puts other values into the text's table of vars, as if they had been
// written there: the script that results says all that there is to know. Each line
// keeps its number. Vars that are no strings, or whose names are none, are left to be
// reported.
func (p *parser) override(vars []Var) []byte {
	values := map[string]string{}
	for _, v := range vars {
		values[v.Name] = v.Value
	}
	var text []byte
	done := 0
	for _, n := range p.varNodes() {
		value, given := values[n.key]
		delete(values, n.key)
		if own, isString := n.value.(string); !given || !isString || own == value || !isName(n.key) {
			continue
		}
		if !utf8.ValidString(value) {
			p.report(n.at, fmt.Sprintf("-var %s: the value is no UTF-8", n.key), "")
			continue
		}
		lines := bytes.Count(p.text[n.begin:n.end], []byte("\n"))
		text = append(append(text, p.text[done:n.begin]...), quote(value, lines)...)
		done = n.end
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p.noVar(p.root.place("vars"), fmt.Sprintf("-var %s: the script has no such var", name), name)
	}
	return append(text, p.text[done:]...)
}

// varNodes are the keys of the table of vars, in file order.
func (p *parser) varNodes() []*node {
	if n := p.root.child("vars"); n != nil {
		return n.below
	}
	return nil
}

// noVar reports a name that no var has.
func (p *parser) noVar(at int, msg, name string) {
	var known []string
	for _, n := range p.varNodes() {
		known = append(known, n.key)
	}
	hint := DidYouMean(name, known)
	if hint == "" && len(known) > 0 {
		hint = "its vars are " + list(known)
	}
	p.report(at, msg, hint)
}

// quote writes a value as a basic string of TOML that has so many line ends in it,
// which are none of the value: those behind a backslash count for nothing.
func quote(value string, lines int) string {
	var b strings.Builder
	for _, r := range value {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	if lines == 0 {
		return `"` + b.String() + `"`
	}
	return `"""` + b.String() + `\` + strings.Repeat("\n", lines) + `"""`
}

// fill puts the values of vars into a string that is no command line, and tells
// whether there was nothing to report. fits may refuse a value.
func (p *parser) fill(it item, fits func(Var) *refusal) (item, bool) {
	before := len(p.errs)
	parts, errs := scanWord(it.text)
	p.placed(it, errs, parts)
	var b strings.Builder
	for _, one := range parts {
		b.WriteString(one.text)
		if one.name == "" {
			continue
		}
		if i := slices.IndexFunc(p.script.Vars, func(v Var) bool { return v.Name == one.name }); i < 0 {
			p.noVar(one.at, fmt.Sprintf("there is no var for {%s}", one.name), one.name)
		} else if no := fits(p.script.Vars[i]); no != nil {
			p.report(one.at, no.msg, no.hint)
		} else {
			b.WriteString(p.script.Vars[i].Value)
		}
	}
	return item{b.String(), it.at}, len(p.errs) == before
}

// A refusal says why a value will not do, and what to do about it.
type refusal struct{ msg, hint string }

// anything takes every value.
func anything(Var) *refusal { return nil }

// aName takes what may stand in a path: a value that comes from a command line must
// not lead out of the folder that the script names.
func aName(v Var) *refusal {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch {
	case v.Value == "":
		return &refusal{fmt.Sprintf("{%s} is empty here", v.Name), fmt.Sprintf("give it a value: -var %s=NAME", v.Name)}
	case len(v.Value) > 64 || strings.Trim(v.Value, letters+"0123456789._-") != "" || strings.ContainsAny(v.Value[:1], "._-"):
		return &refusal{fmt.Sprintf("{%s} is %.80q, which is no name", v.Name, v.Value),
			"a var in a path is a letter or digit, then up to 63 letters, digits, dots, _ and -"}
	}
	return nil
}
