package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/web/canon"
)

// rulesOf compiles text as a rules file without traps.
func rulesOf(t testing.TB, text string) scope {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scope.txt")
	os.WriteFile(path, []byte(text), 0o666)
	o := options{rules: path, rule: new([]string)}
	sc, err := o.scope()
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ condition, matches, misses string }{
		{"all", "http://a/", ""},
		{"scheme https", "https://a/", "http://a/"},
		{"host a.org b.org", "http://b.org/ http://a.org:81/", "http://x.a.org/ http://aa.org/"},
		{"host a.org:81", "http://a.org:81/", "http://a.org/ http://a.org:82/"},
		{"host BÜCHER.example", "http://xn--bcher-kva.example/", "http://bucher.example/"},
		{"host [::1]", "http://[::1]:8080/", "http://[::2]/"},
		{"domain a.org", "http://a.org/ http://x.y.a.org:81/", "http://ba.org/ http://org/ http://a.org.b/"},
		{"surt http://(org,a,)/x", "http://a.org/xy", "https://a.org/xy http://b.a.org/xy http://a.org/y"},
		{"surt (org,a,", "http://a.org/ https://b.a.org/", "http://ab.org/"},
		{"path /x /y?", "http://a/xyz http://a/y?q", "http://a/y http://a/z/x"},
		{`regex [?&]sid= ^http://b/`, "http://a/?sid=1 http://b/", "http://a/sid= http://c/http://b/"},
		{"ext gif JPG", "http://a/b.GIF http://a/b.jpg?x=1",
			"http://a/gif http://a/b.gif/ http://a/?x=.gif http://a/.gif http://gif/"},
		{"type image font", "http://a/b.Png http://a/b.woff2", "http://a/b.html http://a/png"},
		{"depth > 2", "http://a/|3", "http://a/ http://a/|2 http://a/|x"},
		{"length >= 12", "http://a/bcd", "http://a/bc"},
		{"segments = 2", "http://a/b/c http://a/b/c/ http://a//b//c?d/e/f", "http://a/b http://a/ http://a/b/c/d"},
		{"repeats > 2", "http://a/x/b/x/c/x http://a/x/x/x/", "http://a/x/b/x http://a/?/x/x/x http://a////"},
		{"repeats = 2", "http://a/b/c/c http://a/c/b/c http://a/c/b/d/b http://a/b/b/c/c",
			"http://a/b/c http://a/c/c/c"},
		{"params < 2", "http://a/ http://a/? http://a/?x", "http://a/?x&y http://a/?x;y"},
		{"params <= 2", "http://a/?x&y", "http://a/?x&y&z"},
		{"rel sitemap", "http://a/|rel=sitemap", "http://a/ http://a/|rel=listed"},
		{"ahead > 2", "http://a/2029/01/", "http://a/2028/12/ http://a/2029/ http://a/"},
		{"ago >= 10", "http://a/2016/01/", "http://a/2017/12/ http://a/2029/01/ http://a/"},
		{"not ext gif and host a", "http://a/x", "http://a/x.gif http://b/x"},
	} {
		text := "keep " + c.condition
		if c.condition != "all" {
			text += "\nreject all\n"
		}
		sc := rulesOf(t, text)
		for keep, urls := range map[bool]string{true: c.matches, false: c.misses} {
			for url := range strings.FieldsSeq(urls) {
				if got := sc.decide(subjectOf(t, url)).keep; got != keep {
					t.Errorf("keep %s: %s kept: %v", c.condition, url, got)
				}
			}
		}
	}
}

// subjectOf reads URL, URL|DEPTH or URL|rel=NAME, in the year 2026.
func subjectOf(t testing.TB, text string) *subject {
	t.Helper()
	url, attr, _ := strings.Cut(text, "|")
	if c, err := canon.Parse(url); c != url {
		t.Fatalf("%s is not canonical: %s %v", url, c, err)
	}
	rec := urlbatch.New(url)
	if rel, ok := strings.CutPrefix(attr, "rel="); ok {
		rec.Set(urlbatch.Rel, rel)
	} else {
		rec.Set(urlbatch.Depth, attr)
	}
	return newSubject(rec, 2026)
}

// TestExt holds what -explain shows, too.
func TestExt(t *testing.T) {
	for url, want := range map[string]string{"http://a/b.GIF?c.d": "gif", "http://a/b.c/d": "", "http://a/b.c/": "",
		"http://a/.b": "", "http://a/..b": "b", "http://a/b.": "", "http://a.b/": ""} {
		if got := string(subjectOf(t, url).ext()); got != want {
			t.Errorf("the extension of %s is %q, want %q", url, got, want)
		}
	}
}

func TestFirstMatchDecides(t *testing.T) {
	sc := rulesOf(t, `
# a comment
reject type image as pictures   # and another
keep   host a.org
       b.org      # goes on
reject not scheme https
keep   all
`)
	for url, want := range map[string]string{
		"http://a.org/x.png":  "pictures",
		"http://b.org/":       "",
		"http://c.org/":       "not-scheme",
		"https://c.org/x.gif": "pictures",
		"https://c.org/":      "",
	} {
		r := sc.decide(subjectOf(t, url))
		if got := r.name; r.keep != (want == "") || !r.keep && got != want {
			t.Errorf("%s: kept %v, reason %s; want %q", url, r.keep, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"keep hots a\nrejct all", `scope:1:6: unknown kind "hots"; did you mean "host"?` + "\n" +
			`scope:2:1: a rule begins with keep or reject, not with "rejct"; did you mean "reject"?`},
		{"keep\n", `scope:1:1: a condition is missing: keep host example.org … (see -h for the kinds)`},
		{"reject ext gif and", `scope:1:1: a condition is missing: reject host example.org … (see -h for the kinds)`},
		{"keep host", `scope:1:6: write host NAME …`},
		{"reject not all", `scope:1:12: write all, without not or arguments`},
		{"keep host a\n  b/c", `scope:2:3: "b/c" is not a host name`},
		{"keep host a:81 b:80", `scope:1:16: "b:80": canonical URLs omit port 80; write the name, and scheme http`},
		{"keep domain a b:81", `scope:1:15: "b:81" has a port, but a domain has none; use host`},
		{"keep host a@b", `scope:1:11: "a@b" is not a host name`},
		{"keep regex a (", "scope:1:14: error parsing regexp: missing closing ): `(`"},
		{"keep depth >3", `scope:1:12: write an operator and a number, with a blank between: > 3`},
		{"keep depth > -3", `scope:1:14: "-3" is not a number`},
		{"keep rel site", `scope:1:10: unknown rel "site": write sitemap or listed`},
		{"keep surt org,a", `scope:1:11: "org,a" does not begin like a SURT: http://(org,example, or (org,example,`},
		{"keep all as x", `scope:1:10: only a reject rule may have a name`},
		{"reject all as X", `scope:1:15: the name "X" may contain only a-z, 0-9 and -`},
		{"reject all as x y", `scope:1:12: "as" is followed by one name, the last word of the rule`},
		{"reject ext" +
			" gif", `scope:1: after "reject ext gif", say what happens to all other URLs: "keep all" or "reject all"`},
		{"keep all\nreject ext gif", `scope:2:1: this rule is never reached: keep all decides every URL (scope:1)`},
		{"", `scope: the file has no rule; write at least "keep all"`},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		os.WriteFile("scope", []byte(c.text), 0o666)
		_, err := (&options{rules: "scope", rule: new([]string)}).scope()
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n%v\nwant:\n%s", c.text, err, c.want)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("reject type image and not host a.org as pictures\nkeep domain a.org\n b.org\nreject all",
		"http://a.org/x.png")
	f.Add("keep regex ( and depth > 3 # x\n\tall", "http://b/")
	f.Fuzz(func(t *testing.T, text, url string) {
		p := &parser{}
		p.parse("fuzz", text)
		p.parse("end", "reject all")
		c, err := canon.Parse(url)
		if len(p.errs) > 0 || err != nil {
			return
		}
		if r := p.rules.decide(newSubject(urlbatch.New(c), 2026)); !r.keep && !report.ValidName(r.name) {
			t.Fatalf("the rule %q gives the reason %q", r.text, r.name)
		}
	})
}
