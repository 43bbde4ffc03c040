// A file of profiles is a text file. In version 1 the first line is
//
//	profiles 1
//
// and each further line is the profile of a language,
//
//	LANGUAGE GRAM GRAM GRAM …
//
// with the language's name in ISO 639-1 and at most 300 n-grams of one to three characters, the
// most frequent one first. N-grams are in UTF-8 and lower case, with '_' for the beginning and the
// end of a term. A name that occurs twice has two profiles, for instance Serbian in two scripts.

package language

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

const profileHeader = "profiles 1"

// profileLength is the number of n-grams in a profile. Cavnar and Trenkle found that about 300
// distinguish languages; rarer ones depend on the subject of the text.
const profileLength = 300

// maxProfiles is the maximum number of profiles in a file. ISO 639-1 has 183 languages.
const maxProfiles = 512

// A profile contains the most frequent n-grams of a language, the most frequent one first.
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

// isName reports whether s has the form of a name in ISO 639-1: two letters.
func isName(s string) bool {
	return len(s) == 2 && 'a' <= s[0] && s[0] <= 'z' && 'a' <= s[1] && s[1] <= 'z'
}
