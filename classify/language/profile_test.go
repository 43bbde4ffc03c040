package language

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestFormat1 reads a file of version 1, which is kept for ever, and writes it again.
func TestFormat1(t *testing.T) {
	file, err := os.ReadFile("testdata/profiles-v1.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readProfiles(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	want := []profile{
		newProfile("en", said("the cat the hat")),
		newProfile("sr", said("у граду")),
		newProfile("sr", said("u gradu")),
		newProfile("zh", said("漢 字 漢")),
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("read %v, want %v", all, want)
	}
	if again := fileOf(all); !bytes.Equal(again, file) {
		t.Errorf("written as %q", again)
	}
}

func TestDamagedProfiles(t *testing.T) {
	for what, file := range map[string]string{
		"profiles of languages: line 1 is": "",
		`line 1 is "profiles 2"`:           "profiles 2\nen a b\n",
		"line 2: 0 fields":                 "profiles 1\n\nen a\n",
		"line 3: 1 fields":                 "profiles 1\nen a\nde\n",
		"line 2: 302 fields":               "profiles 1\nen" + strings.Repeat(" a", 301) + "\n",
		`"abcd" is no n-gram`:              "profiles 1\nen a abcd\n",
		`"a" is no n-gram`:                 "profiles 1\nen a b a\n",
		`"\x00" is no n-gram`:              "profiles 1\nen a \x00\n",
		`"ENG" is no name`:                 "profiles 1\nENG a\n",
		"more than 512":                    "profiles 1\n" + strings.Repeat("en a\n", 513),
		"token too long":                   "profiles 1\nen " + strings.Repeat("a", 1<<17),
	} {
		if _, err := ReadNGrams(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%.40q gives the error %v, want one that says %q", file, err, what)
		}
	}
}

// FuzzProfiles: a file is refused, or its profiles are those that are written and read again, and
// fit for use.
func FuzzProfiles(f *testing.F) {
	f.Add([]byte("profiles 1\nen a _th he_\nzh 的 人\n"), "the 人")
	f.Add([]byte("profiles 1\nen a\r\n"), "a")
	f.Add([]byte("profiles 1\nen \xff\xfe\n"), "\xff")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		all, err := readProfiles(bytes.NewReader(file))
		if err != nil {
			return
		}
		back, err := readProfiles(bytes.NewReader(fileOf(all)))
		if err != nil || !reflect.DeepEqual(back, all) {
			t.Fatalf("%v is read again as %v, %v", all, back, err)
		}
		if g := newNGrams(all).Identify(said(text)); g.Score < 0 || g.Score > 1 {
			t.Errorf("score %v", g.Score)
		}
	})
}
