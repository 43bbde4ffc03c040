package terms

import (
	"slices"
	"strings"
	"testing"
)

// words is the terms of a page, copied.
func words(s *Splitter, page string) []string {
	var all []string
	for term := range s.HTML([]byte(page)) {
		all = append(all, string(term))
	}
	return all
}

func TestHTML(t *testing.T) {
	for _, c := range []struct{ what, page, want string }{
		{"the package comment", `<h1>Caf&eacute; No.&nbsp;17</h1><script>var x</script> open`, "café no open"},
		{"tags part terms", `a<td>b</td>c<br/>d`, "a b c d"},
		{"a quoted > ends no tag", `<a title="x > y" alt='p > q'>one</a>`, "one"},
		{"a quote within a value is none", `<a title=x"y>one</a>"two"`, "one two"},
		{"scripts and styles", `<SCRIPT>if (a</b) "</p>"</SCRIPT >one<style>p{}</style>two`, "one two"},
		{"a script in a script", `<script><!-- <script>x</script> y --></script>one`, "one"},
		{"an end tag of another name", `<style>a</styles>b</style>one<title>t</titles>u</title>`, "one t titles u"},
		{"comments", `<!-- no > no -->one<!-->two<!--->three<!-- no --!>four<!-- no`, "one two three four"},
		{"declarations", `<!doctype html><?xml no?><![CDATA[no]]>one</>two</ no>three`, "one two three"},
		{"what is not shown", `<noscript>no</noscript><iframe>no</iframe><noframes>no</noframes>one`, "one"},
		{"title and textarea", `<title>One &amp; <b>two</title><textarea>t&eacute;</textarea>`, "one b two té"},
		{"a tag that does not end", `one <a href="two`, "one"},
		{"a < that is none", `1 < 2 <3 one<`, "one"},
		{"entities", `&lt;p&gt; &#65;b&#x43; r&eacutesum&eacute; &nonsense; AT&T &copy;`, "p abc résumé nonsense at t"},
		{"numbers", `3.14 1e5 html5 2nd ½ ٣`, "e html nd"},
		{"punctuation", `don't e-mail foo_bar “so” a…b`, "don t e mail foo bar so a b"},
		{"lower case", `ÄÖ ΑΒΓ ÇA`, "äö αβγ ça"},
		{"marks", "cafe\u0301 \u0301x", "cafe\u0301 x"},
		{"invisible characters", "soft\u00adly&shy;er \ufefftop", "softlyer top"},
		{"scripts without blanks", "漢字kana 日本語。ไทย", "漢 字 kana 日 本 語 ไ ท ย"},
		{"scripts with blanks", "한국어 문서 русский", "한국어 문서 русский"},
		{"bytes that are none of UTF-8", "caf\xe9s \xff\xfe", "caf s"},
		{"plaintext", `one<plaintext>two <b> &amp;`, "one two b amp"},
		{"xmp", `<xmp><b>&amp;</xmp>one`, "b amp one"},
	} {
		if got := strings.Join(words(new(Splitter), c.page), " "); got != c.want {
			t.Errorf("%s: %q has the terms %q, want %q", c.what, c.page, got, c.want)
		}
	}
}

func TestLongest(t *testing.T) {
	in := strings.Repeat("x", Longest)
	wide := strings.Repeat("é", Longest/2)
	page := in + " " + in + "y " + wide + " " + wide + "z end"
	if got, want := words(new(Splitter), page), []string{in, wide, "end"}; !slices.Equal(got, want) {
		t.Errorf("terms %q, want %q", got, want)
	}
}

// TestASCII: the thesis's brute force leaves bytes above 0x7f where they are, and parts terms at
// entities of such characters.
func TestASCII(t *testing.T) {
	got := strings.Join(words(&Splitter{ASCII: true},
		"na\u00efve N\xefVE caf&eacute;s &#76;ord &copycat; 日本 "+strings.Repeat("\xef", Longest+1)), " ")
	if want := "na\u00efve n\xefve caf s lord cat 日本"; got != want {
		t.Errorf("terms %q, want %q", got, want)
	}
}

func TestDigits(t *testing.T) {
	got := strings.Join(words(&Splitter{Digits: true}, "No. 17, 4th of 2²; ٣x 漢5"), " ")
	if want := "no 17 4th of 2 ٣x 漢 5"; got != want {
		t.Errorf("terms with digits are %q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	var got []string
	for term := range new(Splitter).Text([]byte("a <b> &amp; c-d 5")) {
		got = append(got, string(term))
	}
	if want := []string{"a", "b", "amp", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("terms of a plain text are %q, want %q", got, want)
	}
}

// TestStop: who has enough gets no more terms, and the splitter is good for another page.
func TestStop(t *testing.T) {
	s := new(Splitter)
	n := 0
	for range s.HTML([]byte("one &lt;two&gt; <b>three</b> four")) {
		if n++; n == 2 {
			break
		}
	}
	if got := words(s, "five"); n != 2 || !slices.Equal(got, []string{"five"}) {
		t.Errorf("%d terms came, and then %q", n, got)
	}
}

func TestNoAllocation(t *testing.T) {
	s := new(Splitter)
	page := []byte(strings.Repeat(`<p class="x">Some Words &amp; <i>others</i>, été</p><script>no</script>`, 100))
	n := 0
	if allocs := testing.AllocsPerRun(10, func() {
		for range s.HTML(page) {
			n++
		}
	}); allocs > 8 || n == 0 {
		t.Errorf("%d terms took %.0f allocations a page", n, allocs)
	}
}
