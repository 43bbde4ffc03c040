package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// topicFolder is a folder of pages, nested as the tree of the tests: arts, nature/geology, and
// nature/forest, whose pages are in two languages.
func topicFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for topic, folder := range map[string]string{"arts": "arts", "geology": "nature/geology",
		"german": "nature/forest"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			if err := os.WriteFile(filepath.Join(dir, folder, fmt.Sprintf("%d.html", i)), []byte(about(topic, i)),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// topicModel trains the model of that tree.
func topicModel(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "topics.tree")
	must(t, trainVerb(), "", "-model", path, "-nested", topicFolder(t))
	return path
}

// A focused is what a run of classify pages -tree left.
type focused struct {
	stagetest.Result
	mine, aside []string
}

// judge runs classify pages -tree on a batch, as a crawler that is alone.
func judged(t testing.TB, in, model string, args ...string) (f focused) {
	t.Helper()
	dir := t.TempDir()
	mine, aside := filepath.Join(dir, "mine.warc.gz"), filepath.Join(dir, "aside.warc.gz")
	f.Result = must(t, pagesVerb(), "", append(append([]string{"-tree", model, "-mine", mine, "-elsewhere", aside},
		args...), in)...)
	f.mine, f.aside = records(t, mine), records(t, aside)
	return f
}

// topicalBatch has an answer of each kind.
func topicalBatch(t testing.TB) string {
	return batch(t,
		answer{"http://a.test/arts\tdepth=1\tvia=http://a.test/\tworth=0.9\tlinks=0.9", ok, about("arts", 1)},
		answer{"http://a.test/rock\tscore=0.3", ok, about("geology", 2)},
		answer{"http://a.test/de", ok, about("german", 3)},
		answer{"http://a.test/gone\tscore=0.5", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html",
			about("geology", 5)},
		answer{"http://a.test/moved\tscore=0.5", "HTTP/1.1 301 Moved\r\nLocation: /x", ""},
		answer{"http://a.test/frames\tdepth=2\tscore=0.7", ok, "<frame src=a><frame src=b>"},
		answer{"http://a.test/seed", ok, "<frame src=a>"},
		answer{"http://a.test/from-seed\tdepth=1\tredirects=1", ok, "<frame src=a>"},
		answer{"http://a.test/unscored\tdepth=1", ok, "<p>granite"},
		answer{"http://a.test/image\tscore=1", "HTTP/1.1 200 OK\r\nContent-Type: image/png", about("geology", 6)},
		answer{"http://a.test/map.xml\trel=sitemap", "HTTP/1.1 200 OK\r\nContent-Type: text/xml", about("geology", 6)},
		answer{"http://a.test/200", ok, unchanged},
	)
}

// TestFocus: of each kind of page, its attributes and its output in each mode.
func TestFocus(t *testing.T) {
	in, model := topicalBatch(t), topicModel(t)
	plain := []string{"http://a.test/gone\tscore=0.5", "http://a.test/moved\tscore=0.5", "http://a.test/200"}
	const arts = "http://a.test/arts\tdepth=1\tvia=http://a.test/\tworth=0.000\tbest=arts"
	rock := "http://a.test/rock\tscore=0.3\tworth=1.000\tbest=nature/geology"
	de := "http://a.test/de\tworth=1.000\tbest=nature/forest"
	unjudged := []string{
		"http://a.test/frames\tdepth=2\tscore=0.7\tworth=0.000\tlinks=0.350",
		"http://a.test/seed\tworth=0.000\tlinks=0.500",
		"http://a.test/from-seed\tdepth=1\tredirects=1\tworth=0.000\tlinks=0.500",
		"http://a.test/unscored\tdepth=1\tworth=0.000\tlinks=0.000",
		"http://a.test/image\tscore=1\tworth=0.000\tlinks=0.500",
	}
	sitemap := "http://a.test/map.xml\trel=sitemap\tworth=0.000\tlinks=0.000"
	all := slices.Concat([]string{arts, rock, de}, unjudged, []string{sitemap}, plain)
	none := slices.Clone(all)
	for i, line := range none {
		line, _, _ = strings.Cut(line, "\tlinks=")
		if none[i] = line; !slices.Contains(plain, line) {
			none[i] += "\tlinks=0"
		}
	}
	for _, c := range []struct {
		args        string
		mine, aside []string
		count       string
	}{
		{"-good nature", all, nil, "count focus-good 2"},
		{"-good nature -focus soft", all, nil, "count focus-other 1"},
		{"-good nature -focus none", none, nil, "count focus-no-text 4"},
		{"-good nature -focus hard", slices.Concat([]string{rock, de, sitemap}, plain),
			slices.Concat([]string{arts}, unjudged), "count elsewhere 6"},
		{"-good nature/geology,arts -focus hard -english words", slices.Concat([]string{
			strings.Replace(arts, "worth=0.000", "worth=1.000", 1), rock, sitemap}, plain),
			slices.Concat(unjudged, []string{"http://a.test/de\tworth=0.000\tlinks=0.500"}), "count focus-foreign 1"},
	} {
		f := judged(t, in, model, strings.Fields(c.args)...)
		slices.Sort(f.mine)
		slices.Sort(f.aside)
		if want := slices.Sorted(slices.Values(c.mine)); !slices.Equal(f.mine, want) {
			t.Errorf("%s: mine\n%q, want\n%q", c.args, f.mine, want)
		}
		if want := slices.Sorted(slices.Values(c.aside)); !slices.Equal(f.aside, want) {
			t.Errorf("%s: elsewhere\n%q, want\n%q", c.args, f.aside, want)
		}
		f.Wants(t, c.count, "in 12", "count focus-not-judged 4", "count focus-short 1",
			fmt.Sprintf("count kept %d", len(c.mine)))
		if strings.Contains(f.Report, "count not-judged") {
			t.Errorf("%s: the partition counts, too:\n%s", c.args, f.Report)
		}
	}
}

// TestFocusOfACollaboration: what goes to another node tells how relevant it is, too, and a hard
// focus concerns only what stays.
func TestFocusOfACollaboration(t *testing.T) {
	in := batch(t, answer{"http://a.test/arts", ok, about("arts", 1)},
		answer{"http://a.test/rock", ok, about("geology", 2)},
		answer{"http://a.test/arts2", ok, about("arts", 3)})
	aside := filepath.Join(t.TempDir(), "aside.warc.gz")
	s := sort(t, in, "-model", worldModel(t), "-tree", topicModel(t), "-good", "nature/forest",
		"-focus", "hard", "-elsewhere", aside)
	want := []string{"http://a.test/rock\tlabel=geology\tsure=1.000\tworth=0.000\tbest=nature/geology"}
	if len(s.mine) > 0 || !slices.Equal(s.others["geology"], want) {
		t.Errorf("mine %q, geology %q", s.mine, s.others["geology"])
	}
	want = []string{"http://a.test/arts\tlabel=Fine%20arts\tsure=1.000\tworth=0.000\tbest=arts",
		"http://a.test/arts2\tlabel=Fine%20arts\tsure=1.000\tworth=0.000\tbest=arts"}
	if got := records(t, aside); !slices.Equal(got, want) {
		t.Errorf("elsewhere %q", got)
	}
}

// TestFocusKeepsLabels: a crawler may partition its pages in one stage and judge them in the next.
// What the first stage wrote remains.
func TestFocusKeepsLabels(t *testing.T) {
	const sorted = "http://a.test/rock\tlabel=stones\tsure=0.900\towner=geology"
	f := judged(t, batch(t, answer{sorted, ok, about("geology", 2)}), topicModel(t), "-good", "arts")
	if want := []string{sorted + "\tworth=0.000\tbest=nature/geology"}; !slices.Equal(f.mine, want) {
		t.Errorf("%q, want %q", f.mine, want)
	}
}

// TestFocusRefusals: what is wrong is said before the first page is read.
func TestFocusRefusals(t *testing.T) {
	model, in := topicModel(t), topicalBatch(t)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-tree MODEL", stage.ExitUsage, "-tree needs -good"},
		{"-tree MODEL -good rock", stage.ExitUsage, `"rock" is no topic`},
		{"-tree MODEL -good nature,arts", stage.ExitUsage, "every page would be good"},
		{"-tree MODEL -good nature/geology,arts,nature/forest", stage.ExitUsage, "every page would be good"},
		{"-tree MODEL -good nature/forest,nature", stage.ExitUsage, `"nature/forest" lies below "nature"`},
		{"-tree MODEL -good nature,nature/forest", stage.ExitUsage, `"nature/forest" lies below "nature"`},
		{"-tree MODEL -good arts -focus firm", stage.ExitUsage, "want one of soft, hard, none"},
		{"-tree MODEL -good arts -focus hard", stage.ExitUsage, "needs -elsewhere"},
		{"-tree MODEL -good arts -english guess", stage.ExitUsage, "want one of twostep"},
		{"-tree MODEL -good arts -terms 0", stage.ExitUsage, "must be above 0"},
		{"-tree MODEL -good arts -by content", stage.ExitUsage, "-nodes FILE and -node NAME must be given"},
		{"-by none -good arts", stage.ExitUsage, "only with -tree"},
		{"-by none -english words", stage.ExitUsage, "only with -tree"},
		{"-by none -focus none", stage.ExitUsage, "only with -tree"},
		{"-tree FLAT -good arts", stage.ExitFailed, "no sound model file of a topic tree"},
		{"", stage.ExitUsage, "-nodes FILE and -node NAME must be given"},
	} {
		args := strings.NewReplacer("MODEL", model, "FLAT", in).Replace(c.args)
		r := try(t, pagesVerb(), append(strings.Fields(args), "-mine", "/dev/null/never", in)...)
		if r.Code != c.code || !strings.Contains(r.Stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, r.Code, r.Stderr)
		}
	}
}

// TestQuoted: what route proposes can be given to -good as it stands.
func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{"arts,nature/rock_2": "arts,nature/rock_2", "fine arts": "'fine arts'",
		"women's": `'women'\''s'`, `a"b\c`: `'a"b\c'`, "Kräuter": "'Kräuter'", "a\u202eb": `"a\u202eb"`} {
		if got := quoted(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestTreeByHand: train, eval, explain and route of a tree, from a file and of nested folders.
func TestTreeByHand(t *testing.T) {
	folder, dir := topicFolder(t), t.TempDir()
	model, named := filepath.Join(dir, "m"), filepath.Join(dir, "named")
	trained := must(t, trainVerb(), "", "-model", model, "-nested", "-fold", "1/3", folder)
	if !strings.Contains(trained.Stdout, "m: bayes, 4 topics, 2 classifiers, ") {
		t.Errorf("train says %s", trained.Stdout)
	}
	measured := must(t, evalVerb(), "", "-model", model, "-nested", "-fold", "1/3", "-matrix", folder).Stdout
	for _, want := range []string{"\n  the root ", "\n  nature ", "\n  at depth 2 ",
		"\nnature/forest ", "of all 100.0 %",
		"true \\ given", "left out: "} {
		if !strings.Contains(measured, want) {
			t.Errorf("%q is not in\n%s", want, measured)
		}
	}
	tree := write(t, "tree", "arts\tall\nnature\tall\n")
	must(t, trainVerb(), "", "-model", named, "-tree", tree, folder)
	page := write(t, "rock.html", about("geology", 4))
	if told := must(t, explainVerb(), "", "-model", model, page).Stdout; !strings.Contains(told,
		"\nnature below the root: ") || !strings.Contains(told, "\nnature/geology below nature: ") {
		t.Errorf("explain says\n%s", told)
	}
	if told := must(t, explainVerb(), "", "-model", named, page).Stdout; !strings.Contains(told,
		"\nnature below all: ") {
		t.Errorf("explain says\n%s", told)
	}
	empty := write(t, "empty.html", "<p>17")
	told := must(t, routeVerb(), "", "-tree", model, "-good", "nature", page, empty).Stdout
	if want := "1.000\tnature/geology\t1.000\t" + page + "\n-\tno-text\t-\t" + empty + "\n"; told != want {
		t.Errorf("route says\n%s, want\n%s", told, want)
	}
	forest := write(t, "forest.html", about("german", 4))
	told = must(t, routeVerb(), "", "-tree", model, page, forest, empty).Stdout
	for _, want := range []string{"-\tnature/geology\t", "the topics for 2 pages", "\n100.0 % + nature\n",
		"\n 50.0 %     nature/geology\n", "\n-good nature\n"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in\n%s", want, told)
		}
	}
	if strings.Contains(told, "arts") {
		t.Errorf("a topic below a hundredth is listed:\n%s", told)
	}
	for _, args := range []string{"-by topic", "-nodes x"} {
		if r := try(t, routeVerb(), append(strings.Fields(args), "-tree", model, page)...); r.Code != stage.ExitUsage {
			t.Errorf("route -tree %s ends with %d", args, r.Code)
		}
	}
	if r := try(t, routeVerb(), "-tree", model, empty); r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, "no topic can be proposed") {
		t.Errorf("route of nothing ends with %d: %s", r.Code, r.Stderr)
	}
	for want, args := range map[string]string{"give one of them": "-nested -tree " + tree,
		"no place": "-tree " + write(t, "tree", "arts\tall\n"), "line 1: want": "-tree " + page} {
		r := try(t, trainVerb(), append(strings.Fields(args), "-model", filepath.Join(dir, "x"), folder)...)
		if want == "no place" {
			want = `"nature", which is no topic of the tree`
		}
		if r.Code == 0 || !strings.Contains(r.Stderr, want) {
			t.Errorf("train %s ends with %d: %s", args, r.Code, r.Stderr)
		}
	}
}
