package script

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// override returns the text with other values in its table of vars, as if they had been written
// there. The result is a complete script. Each line keeps its number. override does not change vars
// that are not strings or have no valid name; they are reported later.
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
			p.report(n.at, fmt.Sprintf("-var %s: the value is not UTF-8", n.key), "")
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

// varNodes returns the keys of the table of vars, in file order.
func (p *parser) varNodes() []*node {
	if n := p.root.child("vars"); n != nil {
		return n.below
	}
	return nil
}

// noVar reports a var that does not exist.
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

// quote returns a value as a basic string of TOML that spans the given number of line ends. Each
// line end follows a backslash, so it is not part of the value.
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

// fill replaces vars in a string that is not a command line, and reports whether it succeeded.
// inPath is true if the string is a path.
func (p *parser) fill(it item, inPath bool) (item, bool) {
	before := len(p.errs)
	parts, errs := scanWord(it.text)
	p.placed(it, errs, parts)
	var b strings.Builder
	for _, one := range parts {
		b.WriteString(one.text)
		if one.name == "" {
			continue
		}
		i := slices.IndexFunc(p.script.Vars, func(v Var) bool { return v.Name == one.name })
		if i < 0 {
			p.noVar(one.at, fmt.Sprintf("there is no var for {%s}", one.name), one.name)
			continue
		}
		if inPath {
			p.checkPathVar(one.at, p.script.Vars[i])
		}
		b.WriteString(p.script.Vars[i].Value)
	}
	return item{b.String(), it.at}, len(p.errs) == before
}

// checkPathVar reports a value that must not occur in a path. A value from a command line must not
// lead out of the folder that the script names.
func (p *parser) checkPathVar(at int, v Var) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch {
	case v.Value == "":
		p.report(at, fmt.Sprintf("{%s} is empty here", v.Name), fmt.Sprintf("give it a value: -var %s=NAME", v.Name))
	case len(v.Value) > 64 || strings.Trim(v.Value, letters+"0123456789._-") != "" ||
		strings.ContainsAny(v.Value[:1], "._-"):
		p.report(at, fmt.Sprintf("{%s} is %.80q, which is not a name", v.Name, v.Value),
			"a var in a path is a letter or digit, then up to 63 letters, digits, dots, _ and -")
	}
}
