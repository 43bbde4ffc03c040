package complete

import (
	"flag"
	"strings"
)

// A line is a command line whose word at the cursor is to be completed.
type line struct {
	word   string   // what is typed of it
	behind []string // the words behind the cursor
	vars   []string // values of -var
	script string   // the script or directory that the line names
	found  []candidate
	files  string // how files complete the word; "" if they do not
}

func (l *line) add(text, about string) { l.found = append(l.found, candidate{text, about}) }

func (l *line) verbs(p *Program) {
	for _, v := range p.Verbs {
		l.add(v.Name, v.Short)
	}
}

// complete finds what completes the word after a verb and the words between it and the cursor.
func (l *line) complete(v *Verb, before []string) {
	fs := v.Flags()
	var args []string
	for i := 0; i < len(before); i++ {
		f, value, inline := flagOf(fs, before[i])
		switch {
		case f == nil:
			args = append(args, before[i])
			continue
		case takesNone(f):
			continue
		case inline:
		case i+1 < len(before):
			i++
			value = before[i]
		default: // the word is the value of this flag
			l.find(args)
			l.value(v, f)
			return
		}
		if f.Name == "var" {
			l.vars = append(l.vars, value)
		}
	}
	l.find(args)
	if strings.HasPrefix(l.word, "-") {
		l.flags(fs)
		return
	}
	if kind := kindOf(v.Args, len(args)); kind != "" {
		l.argument(v, kind, args)
	}
}

// flagOf returns the flag of a word, and its value if the word contains it. It returns nil for a
// word that is no flag.
func flagOf(fs *flag.FlagSet, word string) (f *flag.Flag, value string, inline bool) {
	if !strings.HasPrefix(word, "-") {
		return nil, "", false
	}
	name, value, inline := strings.Cut(strings.TrimLeft(word, "-"), "=")
	if f = fs.Lookup(name); f == nil {
		f = &flag.Flag{Value: none{}} // unknown, so nothing is known of its value
	}
	return f, value, inline
}

// none is the value of a flag that takes none.
type none struct{}

func (none) String() string   { return "" }
func (none) Set(string) error { return nil }
func (none) IsBoolFlag() bool { return true }

func takesNone(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// flags offers the flags, with as many dashes as were typed.
func (l *line) flags(fs *flag.FlagSet) {
	dashes := "-"
	if strings.HasPrefix(l.word, "--") {
		dashes = "--"
	}
	fs.VisitAll(func(f *flag.Flag) { l.add(dashes+f.Name, f.Usage) })
	l.add(dashes+"h", "print help")
}

// value offers values of a flag, by the name that its usage gives them.
func (l *line) value(v *Verb, f *flag.Flag) {
	kind, _ := flag.UnquoteUsage(f)
	switch {
	case v.Choices[kind] != nil:
		l.choices(v.Choices[kind])
	case kind == "NAME=VALUE":
		l.varNames()
	case kind == "stage":
		l.stages()
	}
}

func (l *line) choices(words []string) {
	for _, word := range words {
		l.add(word, "")
	}
}

// kindOf returns the kind of the n-th argument of a usage line, or "" if it has none.
func kindOf(usage string, n int) (kind string) {
	for word := range strings.FieldsSeq(usage) {
		kind = strings.Trim(word, "[]")
		if strings.HasPrefix(kind, "-") {
			continue
		}
		if n == 0 || strings.HasSuffix(kind, "...") {
			if word == "[SCRIPT]" {
				return "FILE" // or what comes after it
			}
			return strings.TrimSuffix(strings.TrimSuffix(kind, "..."), "]")
		}
		n--
	}
	return ""
}

// argument offers arguments of a kind.
func (l *line) argument(v *Verb, kind string, args []string) {
	switch kind {
	case "SCRIPT", "SCRIPT|DIR":
		l.files = ":files toml"
	case "FILE":
		l.files = ":files"
	case "STAGE":
		l.stages()
	case "QUEUE":
		l.queues()
	case "TX":
		l.transactions()
	case "NAME":
		l.former()
	case "BATCH":
		if l.script == "" {
			l.files = ":files"
		} else {
			l.batches(args)
		}
	default:
		l.choices(v.Choices[kind])
	}
}
