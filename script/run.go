package script

import "fmt"

// program checks that a table says what to run, once, and finds the program.
func (p *parser) program(n *node, c command) (name, path string) {
	run, shell := n.child("run"), n.child("shell")
	switch {
	case run == nil && shell == nil:
		p.report(n.spot.key, fmt.Sprintf("%q says neither \"run\" nor \"shell\"", n.key), "")
	case run != nil && shell != nil:
		p.report(shell.spot.key, fmt.Sprintf("%q says both \"run\" and \"shell\"", n.key), "keep one")
	}
	return p.lookup(c)
}

// lookup finds a command's program. Without a Finder its path is its name.
func (p *parser) lookup(c command) (name, path string) {
	name = c.program()
	if name == "" || p.find == nil {
		return name, name
	}
	path, near := p.find(name)
	if path == "" {
		hint := DidYouMean(name, near)
		if hint == "" {
			hint = "it is looked for beside the manager, in the script's folder and on PATH"
		}
		p.report(c.words[0][0].at, fmt.Sprintf("no program %q", name), hint)
	}
	return name, path
}

// run reads a command line: a string to split, or a list of words.
func (p *parser) run(n *node) command {
	if _, ok := n.value.(string); ok {
		return p.line(n)
	}
	if _, ok := n.value.([]any); !ok {
		p.wrongType(n, "a string or a list of strings")
		return command{}
	}
	var c command
	for _, it := range p.words(n) {
		whole := word{text: []byte(it.text), from: make([]int, len(it.text))}
		for i := range whole.from {
			whole.from[i] = i
		}
		c.words = append(c.words, p.parts(it, whole))
	}
	return p.checkRun(n, c)
}

// words reads a list of strings, which may be empty but for the first.
func (p *parser) words(n *node) []item {
	var items []item
	for i, v := range n.value.([]any) {
		text, ok := v.(string)
		it := n.item(i, text)
		if !ok {
			p.report(it.at, fmt.Sprintf("%q must be a list of strings; here is %s", n.key, kindOf(v)), "put it in quotes")
		}
		items = append(items, it)
	}
	return items
}

// line splits a command line that is one string.
func (p *parser) line(n *node) command {
	it := n.item(0, n.value.(string))
	words, err := split(it.text)
	if err != nil {
		p.report(offset(p.text, it, err.at, err.what), err.msg, "")
		return command{}
	}
	var c command
	for _, w := range words {
		c.words = append(c.words, p.parts(it, w))
	}
	return p.checkRun(n, c)
}

// checkRun checks the words of a command line; one that fails is returned
// empty, so that nothing more is said about it.
func (p *parser) checkRun(n *node, c command) command {
	if len(c.words) == 0 {
		p.invalid(n, "there is no program in it")
		return command{}
	}
	first := c.words[0]
	if len(first) != 1 || first[0].text == "" {
		p.report(n.item(0, "").at, "the program's name must be plain text, so that it can be found beforehand", "")
		return command{}
	}
	for _, w := range c.words {
		for _, part := range w {
			if part.name == "in" && len(w) > 1 {
				p.report(part.at, "{in} stands for several files and must be a word of its own", "")
			}
		}
	}
	return c
}

// parts cuts a word into parts whose offsets are those in the script.
func (p *parser) parts(it item, w word) []part {
	parts, err := cutParts(string(w.text))
	if err != nil {
		p.report(offset(p.text, it, w.from[err.at], err.what), err.msg, "")
		return []part{{text: string(w.text), at: it.at}}
	}
	for i, one := range parts {
		if one.at < len(w.from) {
			what := one.text
			if one.name != "" {
				what = "{" + one.name + "}"
			}
			parts[i].at = offset(p.text, it, w.from[one.at], what)
		}
	}
	return parts
}

// shell reads text for bash.
func (p *parser) shell(n *node) command {
	text, ok := p.str(n)
	if !ok {
		return command{}
	}
	it := n.item(0, text)
	parts, err := cutParts(text)
	if err == nil {
		err = checkQuoted(text, parts)
	}
	if err != nil {
		p.report(offset(p.text, it, err.at, err.what), err.msg, "")
		return command{}
	}
	for i, one := range parts {
		if one.name != "" {
			parts[i].at = offset(p.text, it, one.at, "{"+one.name+"}")
		} else {
			parts[i].at = it.at
		}
	}
	return command{words: [][]part{parts}, shell: true}
}
