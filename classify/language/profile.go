// Profiles are kept in a text file, version 1: a first line
//
//	profiles 1
//
// and then a line for each language,
//
//	LANGUAGE GRAM GRAM GRAM …
//
// with the language's name in ISO 639-1 and at most 300 n-grams of one to three characters, the
// most frequent one first, in UTF-8, lower case, '_' for the begin and the end of a term. A name
// that comes twice has two profiles, as Serbian in two scripts.

package language

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

const profileHeader = "profiles 1"

// profileLength is the number of n-grams that Cavnar and Trenkle found to tell languages apart:
// about 300; those behind tell the subject of the text.
const profileLength = 300

// maxProfiles bounds a file of profiles; there are 183 languages in ISO 639-1.
const maxProfiles = 512

// profile is the most frequent n-grams of a language, the most frequent one first.
type profile struct {
	language string
	grams    []gram
}

func readProfiles(r io.Reader) ([]profile, error) {
	lines := bufio.NewScanner(r)
	if !lines.Scan() || lines.Text() != profileHeader {
		return nil, fmt.Errorf("read profiles of languages: line 1 is %.40q, want %q", lines.Text(), profileHeader)
	}
	var all []profile
	for lines.Scan() {
		p, err := parseProfile(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("read profiles of languages: line %d: %w", len(all)+2, err)
		}
		if all = append(all, p); len(all) > maxProfiles {
			return nil, fmt.Errorf("read profiles of languages: more than %d", maxProfiles)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read profiles of languages: behind line %d: %w", len(all)+1, err)
	}
	return all, nil
}

func parseProfile(line string) (profile, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 || len(fields) > 1+profileLength {
		return profile{}, fmt.Errorf("%d fields, want a language and up to %d n-grams", len(fields), profileLength)
	}
	p := profile{language: fields[0]}
	if !isName(p.language) {
		return profile{}, fmt.Errorf("%.20q is no name of a language in ISO 639-1", p.language)
	}
	for _, field := range fields[1:] {
		g, ok := parseGram(field)
		if !ok || slices.Contains(p.grams, g) {
			return profile{}, fmt.Errorf("language %.20q: %.20q is no n-gram of up to %d characters, or comes twice",
				p.language, field, longestGram)
		}
		p.grams = append(p.grams, g)
	}
	return p, nil
}

// isName tells whether s may be a name of ISO 639-1: two letters.
func isName(s string) bool {
	return len(s) == 2 && 'a' <= s[0] && s[0] <= 'z' && 'a' <= s[1] && s[1] <= 'z'
}
