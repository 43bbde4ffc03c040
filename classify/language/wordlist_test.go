package language

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"multitext/classify/terms"
)

// said is a page of the words of a text.
func said(text string) *terms.Document {
	page := new(terms.Document)
	for word := range strings.FieldsSeq(text) {
		page.Add([]byte(word))
	}
	return page
}

func words(t *testing.T, file string) *WordList {
	t.Helper()
	l, err := ReadWords(strings.NewReader(file), "en")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWordList(t *testing.T) {
	l := words(t, "Make\r\nsuccess\n\nthe\nthe\n s \n")
	if l.Len() != 4 {
		t.Errorf("the list has %d words, want 4", l.Len())
	}
	for _, c := range []struct {
		terms string
		want  Guess
	}{
		{"make", Guess{"en", 1}},
		{"makes the success xyz", Guess{"en", 0.75}},
		{"makess succes", Guess{"", 0}}, // one s goes, and none comes
		{"make foo", Guess{"", 0.5}},    // more than half
		{"make the foo", Guess{"en", 2. / 3}},
		{"s", Guess{"en", 1}},
		{"", Guess{"", 0}},
	} {
		if got := l.Identify(said(c.terms)); got != c.want {
			t.Errorf("%q is %v, want %v", c.terms, got, c.want)
		}
	}
}

func TestCutoff(t *testing.T) {
	l := words(t, "make")
	l.Cutoff = 0.4
	if got := l.Identify(said("make foo")); got.Language != "en" {
		t.Errorf("half is not above 0.4: %v", got)
	}
}

func TestNoWords(t *testing.T) {
	for _, file := range []string{"", "\n \n"} {
		if _, err := ReadWords(strings.NewReader(file), "en"); err == nil {
			t.Errorf("%q is a list of words", file)
		}
	}
	broken := io.MultiReader(strings.NewReader("one\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := ReadWords(broken, "en"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a list gives the error %v", err)
	}
}

func TestEnglish(t *testing.T) {
	l := list(t, Cutoff)
	if l.Len() != 41151 {
		t.Errorf("%d words, want those of the comment", l.Len())
	}
	for text, want := range map[string]string{
		"the colour or color of her cars":            "en",
		"die farbe des autos ist rot und nicht blau": "",
		"la couleur de la voiture n est pas bleue":   "",
	} {
		if got := l.Identify(said(text)); got.Language != want {
			t.Errorf("%q is %v, want %q", text, got, want)
		}
	}
}
