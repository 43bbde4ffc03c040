package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/robots"
)

// judgeByFile judges URLs by the robots.txt in the file at path. It prints for each
//
//	allow|deny TAB URL TAB why
//
// After these lines it prints what else the file has for the crawler: crawl-delay TAB DURATION,
// sitemap TAB URL.
func judgeByFile(w io.Writer, path, token string, urls []string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read robots.txt: %w", err)
	}
	rules := robots.Parse(text, token)
	for _, arg := range urls {
		url, err := canon.Parse(arg)
		if err != nil {
			return stage.Usagef("judge %q: %w", arg, err)
		}
		v := rules.Judge(url)
		word := "deny"
		if v.Allowed {
			word = "allow"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", word, url, why(v, url, text))
	}
	if delay := rules.CrawlDelay(); delay > 0 {
		fmt.Fprintf(w, "crawl-delay\t%s\n", delay)
	}
	for _, url := range rules.Sitemaps() {
		if _, err := fmt.Fprintf(w, "sitemap\t%s\n", url); err != nil {
			return err
		}
	}
	return nil
}

// why returns which lines of the robots.txt text led to the verdict on url.
func why(v robots.Verdict, url string, text []byte) string {
	lines := splitLines(text)
	switch {
	case canon.Path(url) == "/robots.txt":
		return "robots.txt itself is always allowed"
	case v.Undecided:
		return "too many rules with a * to try all of them: the last one tried is " + quote(lines, v.Line)
	case v.Group == 0:
		return "no group for this crawler"
	case v.Line == 0:
		return "no rule matches in the group of " + quote(lines, v.Group)
	}
	return quote(lines, v.Line) + " in the group of " + quote(lines, v.Group)
}

// quote returns line n, quoted, with its number. The quotes protect the terminal, because the file
// is not trusted.
func quote(lines [][]byte, n int) string {
	if n > len(lines) {
		return fmt.Sprintf("line %d", n)
	}
	return fmt.Sprintf("line %d: %+.200q", n, bytes.TrimSpace(lines[n-1]))
}

// splitLines splits text into lines as the parser does: at \n, \r or \r\n.
func splitLines(text []byte) [][]byte {
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	return bytes.Split([]byte(ends.Replace(string(text))), []byte("\n"))
}
