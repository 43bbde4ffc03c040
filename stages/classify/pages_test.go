package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/testkit/stagetest"
)

// A sorted is what a run of classify pages left: the records of each output, those of other nodes
// by name.
type sorted struct {
	stagetest.Result
	mine, unsure []string
	others       map[string][]string
	files        map[string]string // path of each node's only part
}

// sort runs classify pages on a batch as the node arts.
func sort(t testing.TB, in string, args ...string) sorted {
	t.Helper()
	dir := t.TempDir()
	mine, first, unsure := filepath.Join(dir, "mine.warc.gz"), filepath.Join(dir, "m-000000000007-00001.warc.gz"),
		filepath.Join(dir, "unsure.warc.gz")
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{unsure}", unsure)
	}
	s := sorted{others: map[string][]string{}, files: map[string]string{}}
	s.Result = must(t, pagesVerb(), "", append(append([]string{"-nodes", worldFile(t, world), "-node", "arts",
		"-mine", mine, "-outgoing", first}, args...), in)...)
	s.mine, s.unsure = records(t, mine), records(t, unsure)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		node := filepath.Base(filepath.Dir(path))
		if name, ok := outgoing.ParseName(filepath.Base(path)); !ok || name.Tx != 7 || name.Ext != outgoing.Pages {
			t.Errorf("%s is no name of a batch of transaction 7", path)
		}
		s.others[node], s.files[node] = records(t, path), path
	}
	return s
}

// TestByTopic: each kind of page goes where the thesis, or a flag, wants it.
func TestByTopic(t *testing.T) {
	in := batch(t,
		answer{"http://a.test/arts\tdepth=1", ok, about("arts", 1)},
		answer{"http://a.test/rock\tdepth=2\tvia=http://a.test/", ok, about("geology", 2)},
		answer{"http://a.test/de", ok, about("german", 3)},
		answer{"http://a.test/fr", ok, about("french", 4)},
		answer{"http://a.test/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", about("geology", 5)},
		answer{"http://a.test/moved", "HTTP/1.1 301 Moved\r\nLocation: /x", ""},
		answer{"http://a.test/rubbish", "no HTTP at all", "geology"},
		answer{"http://a.test/numbers", ok, "<p>17 4 2001 <img src=x>"},
		answer{"http://a.test/image", "HTTP/1.1 200 OK\r\nContent-Type: image/png", about("geology", 6)},
		answer{"http://a.test/short", ok, "<p>granite and basalt"},
		answer{"http://a.test/text", text, strings.ReplaceAll(about("geology", 7), "<", " ")},
	)
	s := sort(t, in, "-model", worldModel(t))
	want := []string{"http://a.test/arts\tdepth=1\tlabel=Fine%20arts\tsure=1.000", "http://a.test/gone",
		"http://a.test/moved",
		"http://a.test/rubbish", "http://a.test/numbers", "http://a.test/image", "http://a.test/short"}
	if !slices.Equal(s.mine, want) {
		t.Errorf("mine: %q", s.mine)
	}
	for node, want := range map[string][]string{
		"geology": {"http://a.test/rock\tdepth=2\tvia=http://a.test/\tlabel=geology\tsure=1.000",
			"http://a.test/text\tlabel=geology\tsure=1.000"},
		"german": {"http://a.test/de\tlabel=de"},
		"world":  {"http://a.test/fr\tlabel=foreign"},
	} {
		if !slices.Equal(s.others[node], want) {
			t.Errorf("%s: %q, want %q", node, s.others[node], want)
		}
	}
	golden, err := os.ReadFile("testdata/topic.report")
	if got := s.outline(); err != nil || got != string(golden) {
		t.Errorf("the report says\n%s\nwant\n%s\n%v", got, golden, err)
	}
}

// outline is the report without what a compressor's version changes: of each part its folder, or
// its name, and its records.
func (s sorted) outline() string {
	var b strings.Builder
	for line := range strings.Lines(s.Report) {
		if field := strings.Fields(line); field[0] == "out" {
			where := filepath.Base(filepath.Dir(field[1]))
			if base := filepath.Base(field[1]); base == "mine.warc.gz" {
				where = base
			}
			line = fmt.Sprintf("out %s %s\n", where, field[2])
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestTargets: pages without text, short and unsure ones go where the flags say.
func TestTargets(t *testing.T) {
	in := batch(t,
		answer{"http://a.test/numbers", ok, "17"},
		answer{"http://a.test/short", ok, "granite"},
		answer{"http://a.test/both", ok, about("arts", 1) + about("geology", 1)},
		answer{"http://a.test/neither", ok, strings.Repeat("and some other words that nobody has ever learned from ",
			10)},
		answer{"http://a.test/rock", ok, about("geology", 2)},
	)
	model := worldModel(t)
	for _, c := range []struct {
		args string
		want map[string]string // the page's last part to the output
	}{
		{"", map[string]string{"numbers": "arts", "short": "arts", "rock": "geology"}},
		{"-no-text #0 -short #0 -node geology", map[string]string{"numbers": "arts", "short": "arts", "rock": "mine"}},
		{"-no-text world -short rest", map[string]string{"numbers": "world", "short": "rest", "rock": "geology"}},
		{"-terms 1", map[string]string{"short": "geology", "rock": "geology"}},
		{"-sure 0.99 -unsure rest", map[string]string{"neither": "rest", "rock": "geology"}},
		{"-sure 0.99", map[string]string{"neither": "arts", "rock": "geology"}},
		{"-sure 0.99 -unsure {unsure}", map[string]string{"neither": "unsure", "rock": "geology"}},
	} {
		s := sort(t, in, append([]string{"-model", model}, strings.Fields(c.args)...)...)
		s.others["unsure"] = s.unsure
		if s.others["mine"] = s.mine; !strings.Contains(c.args, "-node ") {
			s.others["arts"], s.others["mine"] = s.mine, nil
		}
		found := map[string]string{}
		for output, lines := range s.others {
			for _, line := range lines {
				url, _, _ := strings.Cut(line, "\t")
				found[strings.TrimPrefix(url, "http://a.test/")] = output
			}
		}
		if len(found) != 5 {
			t.Errorf("%q: of 5 pages these are left: %v", c.args, found)
		}
		if unsure := strings.Contains(s.Report, "count unsure "); unsure != strings.Contains(c.args, "-sure") {
			t.Errorf("%q: unsure pages are counted: %v", c.args, unsure)
		}
		for page, output := range c.want {
			if found[page] != output {
				t.Errorf("%q: %s went to %q, want %q", c.args, page, found[page], output)
			}
		}
	}
}

// TestRevisits: what is said to be as before has no text of its own to judge, and stays; nobody
// learns from it.
func TestRevisits(t *testing.T) {
	in := batch(t, answer{"http://a.test/304", "HTTP/1.1 304 Not Modified\r\nContent-Type: text/html", unchanged},
		answer{"http://a.test/200", ok, unchanged})
	for _, by := range []string{"topic", "language", "content"} {
		s := sort(t, in, "-model", worldModel(t), "-by", by, "-no-text", "world", "-short", "rest")
		if want := []string{"http://a.test/304", "http://a.test/200"}; !slices.Equal(s.mine, want) ||
			!s.Has("count not-judged 2") {
			t.Errorf("by %s: mine %q, others %v\n%s", by, s.mine, s.others, s.Report)
		}
	}
	told := must(t, routeVerb(), "", "-nodes", worldFile(t, world), "-node", "arts", "-by", "language", "-no-text",
		"world", in)
	if want := "arts\tnot-judged\t-\thttp://a.test/304\narts\tnot-judged\t-\thttp://a.test/200\n"; told.Stdout != want {
		t.Errorf("route says %q, want %q", told.Stdout, want)
	}
	if r := must(t, explainVerb(), "", in); strings.Count(r.Stdout, "a revisit: another answer has its text") != 2 {
		t.Errorf("explain says %q", r.Stdout)
	}
	labels := write(t, "labels.tsv", "http://a.test/200\tarts\nhttp://a.test/304\tarts\n")
	if r := must(t, trainVerb(), "", "-model", filepath.Join(t.TempDir(), "m"), "-labels", labels, in,
		labelledFolder(t)); !strings.Contains(r.Stdout, "2 revisits") {
		t.Errorf("train says %q", r.Stdout)
	}
}

// TestLinksOnly: pages stay, and tell whose their links are.
func TestLinksOnly(t *testing.T) {
	in := batch(t, answer{"http://a.test/arts\towner=world", ok, about("arts", 1)},
		answer{"http://a.test/rock", ok, about("geology", 2)})
	s := sort(t, in, "-model", worldModel(t), "-links-only")
	want := []string{"http://a.test/arts\tlabel=Fine%20arts\tsure=1.000",
		"http://a.test/rock\tlabel=geology\tsure=1.000\towner=geology"}
	if !slices.Equal(s.mine, want) || len(s.others) > 0 {
		t.Errorf("mine %q, others %v", s.mine, s.others)
	}
	if !s.Has("count kept 1") || !s.Has("count to-geology 1") || s.Has("count sent 1") {
		t.Errorf("report:\n%s", s.Report)
	}
}

// TestByLanguage: the language alone decides, and nobody's is foreign.
func TestByLanguage(t *testing.T) {
	in := batch(t, answer{"http://a.test/en", ok, about("geology", 1)},
		answer{"http://a.test/de", ok, about("german", 2)},
		answer{"http://a.test/fr", ok, about("french", 3)})
	for _, method := range []string{"twostep", "words", "ngrams"} {
		s := sort(t, in, "-by", "language", "-language", method)
		if want := []string{"http://a.test/en\tlabel=foreign",
			"http://a.test/fr\tlabel=foreign"}; !slices.Equal(s.others["world"], want) {
			t.Errorf("%s: world %q", method, s.others["world"])
		}
		if want := []string{"http://a.test/de\tlabel=de"}; !slices.Equal(s.others["german"], want) {
			t.Errorf("%s: german %q", method, s.others["german"])
		}
	}
}

// owners returns the node of each page, and how many nodes have any.
func (s sorted) owners() (owner map[string]string, nodes int) {
	s.others["arts"] = s.mine
	owner = map[string]string{}
	for node, lines := range s.others {
		if len(lines) > 0 {
			nodes++
		}
		for _, url := range lines {
			owner[url] = node
		}
	}
	return owner, nodes
}

// TestByContent: equal bodies have one owner whatever their URLs, and are copied as they came.
func TestByContent(t *testing.T) {
	var answers []answer
	for i := range 40 {
		answers = append(answers, answer{"http://a.test/" + string(rune('a'+i%26)) + string(rune('a'+i/26)), ok,
			about("arts", i/2)})
	}
	in := batch(t, append(answers, answer{"http://a.test/empty", ok, ""},
		answer{"http://a.test/gone", "HTTP/1.1 404 x", "gone"})...)
	s := sort(t, in, "-by", "content")
	owner, nodes := s.owners()
	if len(owner) != 42 || nodes < 3 {
		t.Fatalf("%d of 42 pages, with %d nodes", len(owner), nodes)
	}
	for i := 0; i < len(answers); i += 2 {
		if a, b := answers[i].line, answers[i+1].line; owner[a] != owner[b] {
			t.Errorf("equal bodies of %s and %s are with %s and %s", a, b, owner[a], owner[b])
		}
	}
	if owner["http://a.test/empty"] != "arts" || owner["http://a.test/gone"] != "arts" || !s.Has("count judged 40") ||
		!s.Has("count not-judged 2") {
		t.Errorf("what has no content has not stayed:\n%s", s.Report)
	}
	s = sort(t, in, "-by", "content", "-nodes", worldFile(t, world+"leaves = true\n"))
	for url, node := range owner { // the last one leaves
		if now, _ := s.owners(); node == "rest" && now[url] == "rest" || node != "rest" && now[url] != node {
			t.Errorf("%s of %s is now of %s", url, node, now[url])
		}
	}
}

// TestByText: texts that differ in little have mostly one owner, and other texts any; where there
// is no text the body decides.
func TestByText(t *testing.T) {
	for by, least := range map[string]int{"text": 34, "content": 0} {
		var answers []answer
		for i := range 40 {
			body := about("geology", i) + fmt.Sprint("<p>word", i%7, " of ", i)
			answers = append(answers, answer{fmt.Sprint("http://a.test/", i, "/a"), ok, body},
				answer{fmt.Sprint("http://a.test/", i, "/b"), ok,
					strings.Replace(body, "<p>", "<P><b>17 Visitors</b>, ", 1)},
				answer{fmt.Sprint("http://a.test/", i, "/c"), "HTTP/1.1 200 OK\r\nContent-Type: application/pdf",
					"%PDF " + body})
		}
		s := sort(t, batch(t, answers...), "-by", by)
		owner, nodes := s.owners()
		met := 0
		for i := range 40 {
			if owner[answers[3*i].line] == owner[answers[3*i+1].line] {
				met++
			}
		}
		if met < least || least == 0 && met > 20 || nodes < 5 || len(owner) != len(answers) {
			t.Errorf("by %s %d of 40 near-duplicates meet, of %d pages, with %d nodes", by, met, len(owner), nodes)
		}
	}
}

// TestSentOnce: a body that its node has with the same links is sent as a revisit, by this run or a
// later one; where its links lead elsewhere, and to another node, it is sent whole.
func TestSentOnce(t *testing.T) {
	rock, pdf := about("geology", 2), "HTTP/1.1 200 OK\r\nContent-Type: application/pdf"
	in := batch(t, answer{"http://a.test/rock?x=1\tdepth=1", ok, rock}, answer{"http://a.test/rock?x=2", ok, rock},
		answer{"http://a.test/other", ok, rock},
		answer{"http://b.test/rock", ok, rock}, answer{"http://a.test/de", ok, about("german", 1)},
		answer{"http://a.test/1.pdf", pdf, "x"},
		answer{"http://b.test/2.pdf", pdf, "x"}, answer{"http://a.test/arts", ok, about("arts", 1)},
		answer{"http://a.test/arts?again", ok, about("arts", 1)})
	model, dir := worldModel(t), t.TempDir()
	segment, list := filepath.Join(dir, "segment"), filepath.Join(dir, "list")
	args := []string{"-model", model, "-no-text", "world", "-sent", list}
	const whole = "http://a.test/rock?x=1 http://a.test/other http://b.test/rock http://a.test/de http://a.test/1.pdf"
	for n, want := range []string{whole, "", whole} {
		s := sort(t, in, append(args, "-new", segment)...)
		var got []string
		for _, node := range []string{"geology", "german", "world"} {
			if len(s.others[node]) == 0 {
				t.Fatalf("run %d: nothing for %s", n, node)
			}
			if err := warc.Verify(t.Context(), s.files[node], nil); err != nil {
				t.Error(err)
			}
			got = append(got, notRevisits(t, s.files[node])...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("run %d sent whole %q, want %q", n, got, want)
		}
		if rocks := s.others["geology"]; len(rocks) != 4 || !strings.Contains(rocks[1], "x=2\tlabel=geology\tsure=") {
			t.Errorf("run %d: geology got %q", n, rocks)
		}
		if mine := notRevisits(t, filepath.Join(filepath.Dir(filepath.Dir(s.files["geology"])),
			"mine.warc.gz")); len(mine) != 2 {
			t.Errorf("run %d: of two pages of ours %q stayed whole", n, mine)
		}
		before := map[string]string{whole: "2", "": "7"}[want]
		if !s.Has("count sent-before " + before) {
			t.Errorf("run %d: report\n%s", n, s.Report)
		}
		if n == 0 {
			os.WriteFile(list, []byte(segment+"\n"), 0o666)
			segment += "2"
		} else {
			os.Remove(list) // lost
			segment += "3"
		}
	}
}

// notRevisits are the URLs of the answers in a page batch that have their body.
func notRevisits(t *testing.T, path string) (urls []string) {
	t.Helper()
	stagetest.EachAnswer(t, path, func(_ *warc.Reader, a *warc.Answer) {
		if !a.Revisit() {
			urls = append(urls, a.URL())
		}
	})
	return urls
}

// TestByNone: everything stays as it is, byte for byte, and no model is asked for.
func TestByNone(t *testing.T) {
	in := batch(t, answer{"http://a.test/rock", ok, about("geology", 2)},
		answer{"http://a.test/gone", "HTTP/1.1 404 x", ""})
	mine := filepath.Join(t.TempDir(), "mine.warc.gz")
	must(t, pagesVerb(), "", "-nodes", worldFile(t, world), "-node", "arts", "-by", "none", "-mine", mine, in)
	a, _ := os.ReadFile(in)
	b, err := os.ReadFile(mine)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("%d bytes became %d: %v", len(a), len(b), err)
	}
}

// TestMarkedPagesAreWhole: a page that got its label is, but for that, what it was.
func TestMarkedPagesAreWhole(t *testing.T) {
	in := batch(t, answer{"http://a.test/rock", ok, about("geology", 2)})
	s := sort(t, in, "-model", worldModel(t))
	if err := warc.Verify(t.Context(), s.files["geology"], nil); err != nil {
		t.Error(err)
	}
}

// TestRefusals: what is wrong is said before the first page is read.
func TestRefusals(t *testing.T) {
	model, file := worldModel(t), worldFile(t, world)
	in := batch(t, answer{"http://a.test/rock", ok, about("geology", 2)})
	good := map[string]string{"-nodes": file, "-node": "arts", "-model": model, "-mine": "/dev/null/never",
		"-outgoing": "/dev/null/never"}
	for _, c := range []struct {
		flag, value string // "": without the flag
		code        int
		want        string
	}{
		{"-nodes", "", stage.ExitUsage, "-nodes FILE and -node NAME must be given"},
		{"-node", "art", stage.ExitUsage, `has no node "art"`},
		{"-model", "", stage.ExitUsage, "-by topic needs a -model"},
		{"-model", file, stage.ExitFailed, "no sound model file"},
		{"-by", "page", stage.ExitUsage, "want topic, language, content, none or text"},
		{"-outgoing", "", stage.ExitUsage, "-outgoing is required"},
		{"-short", "nobody", stage.ExitFailed, `has no node "nobody"`},
		{"-language", "guess", stage.ExitUsage, "want one of twostep, words, ngrams"},
		{"-sure", "1.5", stage.ExitUsage, "-sure 1.5: want 0 to 1"},
		{"-terms", "0", stage.ExitUsage, "must be above 0"},
		{"-nodes", worldFile(t, strings.Replace(world, `"Fine arts"`, `"fine arts"`, 1)), stage.ExitFailed,
			`no node owns the label "Fine arts"`},
		{"-nodes", worldFile(t, strings.Replace(world, `"de"`, `"gr"`, 1)), stage.ExitFailed,
			`the node "german" owns the label "gr", which is neither a topic`},
	} {
		flags := map[string]string{c.flag: c.value}
		for name, value := range good {
			if name != c.flag {
				flags[name] = value
			}
		}
		var args []string
		for name, value := range flags {
			if value != "" {
				args = append(args, name, value)
			}
		}
		if r := try(t, pagesVerb(), append(args, in)...); r.Code != c.code || !strings.Contains(r.Stderr, c.want) {
			t.Errorf("%s %q: exit %d, %s", c.flag, c.value, r.Code, r.Stderr)
		}
	}
}

// TestEveryPageHasOnePlace sends pages of all kinds by many settings: each is in one output, once,
// as classify route says beforehand, and the counters of kinds add up to all of them.
func TestEveryPageHasOnePlace(t *testing.T) {
	var answers []answer
	for i := range 60 {
		topic := []string{"arts", "geology", "german", "french"}[i%4]
		a := answer{fmt.Sprintf("http://a.test/%02d", i), ok, about(topic, i)}
		switch i % 7 {
		case 0:
			a.body = a.body[:len(a.body)/4] // short
		case 1:
			a.body += about("arts", i) // of two minds
		case 2:
			a.head = "HTTP/1.1 500 x"
		case 3:
			a.body = "<img>"
		}
		answers = append(answers, a)
	}
	in, model := batch(t, answers...), worldModel(t)
	for _, args := range []string{"", "-terms 30", "-no-text world -short rest", "-sure 0.9 -unsure german",
		"-by language", "-ascii -language words",
		"-links-only", "-by content", "-by none"} {
		s := sort(t, in, append([]string{"-model", model}, strings.Fields(args)...)...)
		found := map[string]string{} // the node of each page
		s.others["arts"] = s.mine
		for node, lines := range s.others {
			for _, line := range lines {
				rec, err := urlbatch.Parse([]byte(line))
				if err != nil || found[rec.URL()] != "" {
					t.Fatalf("%q: %q is in two places, or none: %v", args, line, err)
				}
				if found[rec.URL()] = node; strings.Contains(args, "-links-only") {
					if owner, ok := rec.Get(urlbatch.Owner); ok {
						found[rec.URL()] = owner
					}
				}
			}
		}
		if len(found) != len(answers) {
			t.Errorf("%q: %d pages of %d", args, len(found), len(answers))
		}
		if total := kinds(t, s.Report); total != len(answers) {
			t.Errorf("%q: %d pages are of some kind, of %d:\n%s", args, total, len(answers), s.Report)
		}
		if strings.HasSuffix(args, "content") || strings.HasSuffix(args, "none") {
			continue // which route does not know
		}
		told := must(t, routeVerb(), "",
			append(append([]string{"-nodes", worldFile(t, world), "-node", "arts", "-model", model},
				strings.Fields(strings.Replace(args, "-links-only", "", 1))...), in)...)
		for line := range strings.Lines(told.Stdout) {
			if field := strings.Split(strings.TrimSpace(line), "\t"); found[field[3]] != field[0] {
				t.Errorf("%q: %s is with %s, and route said %s", args, field[3], found[field[3]], field[0])
			}
		}
	}
}

// kinds adds up the counters of a report that tell what pages are.
func kinds(t *testing.T, report string) (total int) {
	t.Helper()
	for line := range strings.Lines(report) {
		var name string
		var n int
		if _, err := fmt.Sscanf(line, "count %s %d", &name, &n); err == nil && name != "kept" && name != "sent" &&
			!strings.HasPrefix(name, "to-") &&
			!strings.HasSuffix(name, "-bytes") {
			total += n
		}
	}
	return total
}
