package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resolveReads decides for each value in a read table whether it is a state or a file. A value with
// a slash or a leading dot is a file. Any other value is a state if a stage has a state of that
// name, else a file.
func (p *parser) resolveReads() {
	var states []string
	for _, s := range p.script.Stages {
		states = append(states, s.State)
	}
	for _, r := range p.reads {
		read := &r.stage.Read[r.index]
		owner := p.script.Owner(r.text)
		if strings.Contains(r.text, "/") || strings.HasPrefix(r.text, ".") || owner == nil {
			read.File = p.abs(r.text)
			p.file(r.item, read.File, states...)
			continue
		}
		read.State = r.text
		if owner == r.stage {
			p.report(r.at, fmt.Sprintf("stage %q reads its own state", r.stage.Name),
				fmt.Sprintf("it has it as {%s}", r.text))
		}
	}
}

// file returns the path of a file of the script, and reports a missing file. states are the names
// that it could also have meant.
func (p *parser) file(it item, path string, states ...string) os.FileInfo {
	if p.find == nil {
		return nil
	}
	info, err := os.Stat(path)
	if err == nil {
		return info
	}
	if hint := DidYouMean(it.text, states); hint != "" {
		p.report(it.at, fmt.Sprintf("no state and no file %q", it.text), hint)
	} else {
		p.report(it.at, fmt.Sprintf("no file %s", path), nearFile(it.text, path))
	}
	return nil
}

// nearFile suggests a similar file in the same folder.
func nearFile(written, path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Sprintf("there is no folder %s either", filepath.Dir(path))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near := nearest(filepath.Base(path), names)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", strings.TrimSuffix(written, filepath.Base(written))+near)
}
