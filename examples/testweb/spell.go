package main

import (
	"strconv"
	"strings"
)

// form is one of the ways in which a link can be written.
type form uint8

const (
	formAbsolute form = iota
	formCapitals
	formPort
	formNoScheme
	formRooted // the last of those that mean the same on every host, but for this one
	formDots
	formRelative
	formFragment
	forms
)

// baseFolder is the folder of what the base element of a page names, where it has one.
const baseFolder = "/doc/"

func hasBase(i int) bool { return i%10 == 6 }

// form chooses how page i writes a link. Page 1, which another host mirrors,
// writes the host out.
func (d *dice) form(i int) form {
	if i == 1 {
		return form(d.roll(int(formRooted)))
	}
	if d.roll(2) == 0 {
		return formRelative
	}
	return form(d.roll(int(forms)))
}

// spell writes l as the value of an attribute, entities not yet escaped.
func (p *pageWriter) spell(l link) string {
	form := l.form
	if l.to.host != p.host && form > formNoScheme {
		form %= formRooted
	}
	path := p.respell(p.shape.path(l.to))
	switch form {
	case formAbsolute:
		return "http://" + hostName(l.to.host) + path
	case formCapitals:
		return "HTTP://" + strings.ToUpper(hostName(l.to.host)) + path
	case formPort:
		return "http://" + hostName(l.to.host) + ":80" + path
	case formNoScheme:
		return "//" + hostName(l.to.host) + path
	case formRooted:
		return path
	case formDots:
		return "/here/../././nowhere/.." + path
	case formFragment:
		return relative(p.folder, path) + "#s" + strconv.Itoa(p.dice.roll(9))
	default:
		return relative(p.folder, path)
	}
}

// folderOf is the folder that relative links of page i start from.
func (s shape) folderOf(host, i int) string {
	if hasBase(i) {
		return baseFolder
	}
	path, _, _ := strings.Cut(s.pagePath(host, i), "?")
	return path[:strings.LastIndexByte(path, '/')+1]
}

// respell writes the percent-encodings of path in another way that means the
// same. A letter outside ASCII stands for its UTF-8 bytes in a path, for its byte in
// the page's charset in a query.
func (p *pageWriter) respell(path string) string {
	switch p.dice.roll(4) {
	case 0:
		path = strings.ReplaceAll(path, "%C3%A9", "%c3%a9")
		path = strings.ReplaceAll(path, "%E9", "%e9")
	case 1:
		path = strings.ReplaceAll(path, "%C3%A9", "é")
		if p.latin1 {
			path = strings.ReplaceAll(path, "%E9", "é")
		}
	case 2:
		path = strings.Replace(path, "/p0", "/%700", 1)
	}
	return path
}

// relative is the path to, seen from folder.
func relative(folder, to string) string {
	path, query, _ := strings.Cut(to, "?")
	up := ""
	for !strings.HasPrefix(path, folder) {
		folder = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
		up += "../"
	}
	rest := up + path[len(folder):]
	if rest == "" {
		rest = "./"
	}
	if query != "" {
		rest += "?" + query
	}
	return rest
}
