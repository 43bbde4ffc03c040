package script

import (
	"cmp"
	"fmt"
)

// checkProgram reports a table that names no program, or two.
func (p *parser) checkProgram(n *node) {
	run, shell := n.child("run"), n.child("shell")
	switch {
	case run == nil && shell == nil:
		p.report(n.at, fmt.Sprintf("%q says neither \"run\" nor \"shell\"", n.key), "")
	case run != nil && shell != nil:
		p.report(shell.at, fmt.Sprintf("%q says both \"run\" and \"shell\"", n.key), "keep one")
	}
}

// command returns a command with a program's name and words, and finds the program. Without a
// Finder its path is its name.
func (p *parser) command(program string, words [][]part, shell bool) Command {
	c := Command{program, program, words, shell}
	if p.find == nil {
		return c
	}
	path, near := p.find(program)
	if path == "" {
		p.report(words[0][0].at, fmt.Sprintf("no program %q", program),
			cmp.Or(DidYouMean(program, near),
				"it is looked for beside the manager, in the script's folder and on PATH"))
	}
	c.ProgramPath = path
	return c
}

// run reads a command line: a string to split, or a list of words.
func (p *parser) run(n *node) Command {
	var words [][]part
	switch n.typ {
	case aString:
		var errs []textError
		words, errs = scanLine(n.text().text)
		p.placed(n.text(), errs, words...)
		if words == nil && errs != nil {
			return Command{}
		}
	case aList:
		for _, one := range n.below {
			if one.typ != aString {
				p.report(one.begin, fmt.Sprintf("%q must be a list of strings; here is %s", n.key, one.typ),
					"put it in quotes")
			}
			word, errs := scanWord(one.text().text)
			p.placed(one.text(), errs, word)
			words = append(words, word)
		}
	default:
		p.wrongType(n, "a string or a list of strings")
		return Command{}
	}
	if !p.checkRun(n, words) {
		return Command{}
	}
	return p.command(words[0][0].text, words, false)
}

// placed converts the offsets of parts from offsets in a string to offsets in the script. It also
// reports the errors.
func (p *parser) placed(it item, errs []textError, words ...[]part) {
	for _, err := range errs {
		p.report(offset(p.text, it, err.at, err.what), err.msg, "")
	}
	for _, word := range words {
		for i, one := range word {
			what := one.text
			if one.name != "" {
				what = "{" + one.name + "}"
			}
			word[i].at = offset(p.text, it, one.at, what)
		}
	}
}

// checkRun reports errors in the words of a command line. If it returns false, the caller must not
// check the words any further.
func (p *parser) checkRun(n *node, words [][]part) bool {
	if len(words) == 0 {
		p.invalid(n, "there is no program in it")
		return false
	}
	if first := words[0]; len(first) != 1 || first[0].text == "" {
		at := n.begin
		if n.typ == aList {
			at = n.below[0].begin
		}
		p.report(at, "the program's name must be plain text, so that it can be found beforehand", "")
		return false
	}
	for _, word := range words {
		for _, one := range word {
			if one.name == "in" && len(word) > 1 {
				p.report(one.at, "{in} stands for several files and must be a word of its own", "")
			}
		}
	}
	return true
}

// shell reads text for bash.
func (p *parser) shell(n *node) Command {
	text, ok := p.str(n)
	if !ok {
		return Command{}
	}
	word, errs := scanWord(text)
	errs = append(errs, checkQuoted(text, word)...)
	p.placed(n.text(), errs, word)
	if len(errs) > 0 {
		return Command{}
	}
	word[0].at = n.begin // of bash, which the text does not name
	return p.command("bash", [][]part{word}, true)
}
