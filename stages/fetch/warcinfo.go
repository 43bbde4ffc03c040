package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"multitext/stages/internal/web/httphead"
)

// conformsTo is the address of the free edition of WARC/1.1.
const conformsTo = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"

// warcinfo returns the fields of the record before the answers, which says who archived them and
// with which software (WARC/1.1, section 6.2). more has additional lines KEY=VALUE from the
// operator.
func warcinfo(agent, operator string, more []string) (httphead.Fields, error) {
	info := httphead.Fields{{Name: "software", Value: software()}}
	if operator != "" {
		info = append(info, httphead.Field{Name: "operator", Value: operator})
	}
	info = append(info,
		httphead.Field{Name: "format", Value: "WARC File Format 1.1"},
		httphead.Field{Name: "conformsTo", Value: conformsTo},
		httphead.Field{Name: "http-header-user-agent", Value: agent},
	)
	for _, line := range more {
		key, value, ok := strings.Cut(line, "=")
		if !ok || !isName(key) {
			return nil, fmt.Errorf("-info %q: want KEY=VALUE, KEY of letters, digits and hyphens", line)
		}
		info = append(info, httphead.Field{Name: key, Value: value})
	}
	for _, f := range info {
		if strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, fmt.Errorf("%s %q: remove the control character", f.Name, f.Value)
		}
	}
	return info, nil
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return s != ""
}

// software returns the name of this program, with its version if the build contains one.
func software() string {
	if b, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(b.Main.Version, "v") {
		return "multitext/" + b.Main.Version + " fetch"
	}
	return "multitext fetch"
}
