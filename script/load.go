package script

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Finder returns the path of a program, or "" if it cannot be found. near contains similar names
// that exist, for "did you mean".
type Finder func(program string) (path string, near []string)

// maxScript is the maximum size of a script. Ten stages need about five kilobytes.
const maxScript = 256 << 10

// Load reads and checks the script at path. vars replace values of the script's own vars. The error
// is of type [Errors] with all errors of the script, or an error of reading the file.
func Load(path string, find Finder, vars ...Var) (*Script, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScript+1))
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", path, err)
	}
	return Parse(path, text, find, vars...)
}

// Parse does the same as [Load] for the text of a script. path is used in messages, and relative
// names in the script are relative to its folder.
//
// If find is nil, Parse does not check whether programs, files of read and seeds exist. This is for
// printing a crawl with the script of its last start.
func Parse(path string, text []byte, find Finder, vars ...Var) (*Script, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("script %s: %w", path, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some editors write a byte order mark
	p := &parser{
		reporter: reporter{file: path, text: text},
		script:   &Script{Path: abs, Folder: filepath.Dir(abs), file: path},
		find:     find,
		nodes:    map[any]*node{},
	}
	ok := p.syntax()
	if ok && len(vars) > 0 {
		p.text = p.override(vars)
		ok = p.syntax()
	}
	if !ok || !p.version() {
		return nil, p.err()
	}
	p.script.Text = p.text
	p.top()
	p.check()
	if err := p.err(); err != nil {
		return nil, err
	}
	return p.script, nil
}

// syntax parses the text as TOML. The library stops at its first error.
func (p *parser) syntax() (ok bool) {
	if len(p.text) > maxScript {
		p.report(0, fmt.Sprintf("the script is longer than %d kB", maxScript>>10),
			"move long shell text into files of its own")
		return false
	}
	var err error
	if p.root, err = readDocument(p.text); err == nil {
		return true
	}
	at := 0
	if syntax := new(toml.DecodeError); errors.As(err, &syntax) {
		at = p.offset(syntax.Position())
	}
	msg, hint := strings.TrimPrefix(err.Error(), "toml: "), ""
	if strings.HasSuffix(msg, "at start of value") {
		hint = "a string stands in quotes"
	}
	p.report(at, msg, hint)
	return false
}

// Version is the version of the language that this package reads.
const Version = 1

// version checks the version of the language. It does not read a script of another version further,
// because its errors here may be valid there.
func (p *parser) version() bool {
	n := p.root.child("flow")
	if n == nil {
		p.report(0, `the version of the language is missing`, `write "flow = 1" on the first line`)
		return true
	}
	v, ok := n.value.(int64)
	if !ok {
		p.wrongType(n, "the integer 1")
		return true
	}
	if v == Version {
		return true
	}
	hint := "the only version is 1"
	if v > Version {
		hint = "a newer manager is needed to run this script"
	}
	p.report(n.begin, fmt.Sprintf("flow = %d is not a version this program knows", v), hint)
	return false
}
