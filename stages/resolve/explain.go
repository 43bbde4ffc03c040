package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/robots"
	"multitext/stages/internal/stage"
)

// explain judges URLs by the robots.txt in the file at path and prints for each
//
//	allow|deny TAB URL TAB line N: "the line that decides", or: no rule
func explain(w io.Writer, path, token string, urls []string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read robots.txt: %w", err)
	}
	rules := robots.Parse(text, token)
	lines := splitLines(text)
	for _, arg := range urls {
		url, err := canon.Parse(arg)
		if err != nil {
			return stage.Usagef("judge %q: %w", arg, err)
		}
		v := rules.Judge(url)
		word, why := "deny", "no rule"
		if v.Allowed {
			word = "allow"
		}
		if v.Line > 0 && v.Line <= len(lines) {
			// Quoted, for the file is a stranger's and this may be a terminal.
			why = fmt.Sprintf("line %d: %.200q", v.Line, bytes.TrimSpace(lines[v.Line-1]))
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", word, url, why); err != nil {
			return err
		}
	}
	return nil
}

// splitLines ends lines as the parser does: at \n, \r or \r\n.
func splitLines(text []byte) [][]byte {
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	return bytes.Split([]byte(ends.Replace(string(text))), []byte("\n"))
}
