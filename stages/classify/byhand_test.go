package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
)

// labelledFolder is a folder of pages of two topics, some of them not to be learned from.
func labelledFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, content string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 30 {
		n := string(rune('a'+i%26)) + string(rune('a'+i/26))
		put("arts/"+n+".html", about("arts", i))
		put("geology/deeper/"+n+".http", "HTTP/1.0 200 OK\nContent-Type: text/html\n\n"+about("geology", i))
	}
	put("geology/gone.http", "HTTP/1.0 404 Not Found\nContent-Type: text/html\n\n"+about("geology", 1))
	put("arts/short.txt", "a museum")
	put("arts/numbers.txt", "17")
	put("arts/german.html", about("german", 1))
	return dir
}

// TestTrainAndEval: what train leaves out by its fold, and only that, is what eval takes; the model
// is right about it.
func TestTrainAndEval(t *testing.T) {
	dir, model := labelledFolder(t), filepath.Join(t.TempDir(), "m")
	trained := must(t, trainVerb(), "", "-model", model, "-fold", "1/3", "-english", "words", dir)
	for _, want := range []string{": bayes, 2 labels, ", "left out: ", " foreign", " of another fold"} {
		if !strings.Contains(trained.Stdout, want) {
			t.Errorf("train says %q, and not %q", trained.Stdout, want)
		}
	}
	judged := must(t, evalVerb(), "", "-model", model, "-fold", "1/3", "-english", "words", "-matrix", dir)
	for _, want := range []string{"arts ", "geology ", "mean 100.0 %, variance 0.0000; of all 100.0 %, macro F1 1.000;",
		"true \\ given", "left out: "} {
		if !strings.Contains(judged.Stdout, want) {
			t.Errorf("eval says\n%s\nand not %q", judged.Stdout, want)
		}
	}
	// Each page in English that can be classified is of one fold.
	learned, judgedPages := number(t, trained.Stdout, "learned from "),
		number(t, judged.Stdout, "arts ")+number(t, judged.Stdout, "geology ")
	if learned+judgedPages != 60 || judgedPages < 10 {
		t.Errorf("train took %v and eval %v of 60 pages", learned, judgedPages)
	}
}

// number is the number behind the first begin in a text.
func number(t *testing.T, text, begin string) (n float64) {
	t.Helper()
	_, rest, _ := strings.Cut(text, begin)
	if _, err := fmt.Sscan(rest, &n); err != nil {
		t.Fatalf("no number behind %q: %v", begin, err)
	}
	return n
}

// listOf is a list of all files in a folder of labelled folders.
func listOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			below, _ := filepath.Rel(dir, path)
			label, _, _ := strings.Cut(below, "/")
			fmt.Fprintf(&b, "%s\t%s\n", path, label)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTrainIsRepeatable: the same pages give the same bytes, wherever they are read from, and a
// model is replaced whole.
func TestTrainIsRepeatable(t *testing.T) {
	dir, out := labelledFolder(t), t.TempDir()
	list := write(t, "list.tsv", listOf(t, dir))
	first, second := filepath.Join(out, "1"), filepath.Join(out, "2")
	if err := os.WriteFile(second, []byte("no model"), 0o666); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(second)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	r := must(t, trainVerb(), "", "-model", first, "-method", "linear", dir)
	if want := "learned from 61 pages\nleft out: 1 INVALID, 1 NO-TEXT, 1 SHORT\n"; !strings.HasSuffix(r.Stdout, want) {
		t.Errorf("train says %q, want at its end %q", r.Stdout, want)
	}
	must(t, trainVerb(), "", "-model", second, "-method", "linear", "-index", list)
	a, errA := os.ReadFile(first)
	b, errB := os.ReadFile(second)
	if errA != nil || errB != nil || len(a) < 500 || !bytes.Equal(a, b) {
		t.Errorf("%d and %d bytes, %v, %v", len(a), len(b), errA, errB)
	}
	if text, err := io.ReadAll(old); string(text) != "no model" || err != nil {
		t.Errorf("who read the old file while the new one was written has read %.40q, %v", text, err)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 2 {
		t.Errorf("beside the models there is something: %v, %v", left, err)
	}
}

// TestTrainMost: of each label so many pages are learned from, the same ones in whatever order they
// come.
func TestTrainMost(t *testing.T) {
	dir, out := labelledFolder(t), t.TempDir()
	lines := strings.SplitAfter(listOf(t, dir), "\n")
	slices.Reverse(lines)
	list := write(t, "list.tsv", strings.Join(lines, ""))
	for _, c := range []struct{ most, want string }{{"10", "learned from 20 pages"},
		{"1000", "learned from 61 pages"}} {
		var models [2][]byte
		for i, from := range [][]string{{dir}, {"-index", list}} {
			model := filepath.Join(out, fmt.Sprint(c.most, i))
			r := must(t, trainVerb(), "", append([]string{"-model", model, "-most", c.most}, from...)...)
			if !strings.Contains(r.Stdout, c.want) {
				t.Errorf("-most %s: train says %q, want %q", c.most, r.Stdout, c.want)
			}
			models[i], _ = os.ReadFile(model)
		}
		if len(models[0]) == 0 || !bytes.Equal(models[0], models[1]) {
			t.Errorf("-most %s: models of %d and %d bytes, which should be one", c.most, len(models[0]), len(models[1]))
		}
	}
}

// TestTrainFromBatches: labels come with the records, or from a list of URLs, and those without are
// left out.
func TestTrainFromBatches(t *testing.T) {
	in := batch(t,
		answer{"http://a.test/1\tlabel=Fine%20arts", ok, about("arts", 1)},
		answer{"http://a.test/2\tlabel=Fine%20arts", ok, about("arts", 2)},
		answer{"http://a.test/3\tlabel=geology", ok, about("geology", 3)},
		answer{"http://a.test/4", ok, about("geology", 4)},
	)
	model := filepath.Join(t.TempDir(), "m")
	if r := must(t, trainVerb(), "", "-model", model, in); !strings.Contains(r.Stdout, "2 labels") ||
		!strings.Contains(r.Stdout, "1 without a label") {
		t.Errorf("%s", r.Stdout)
	}
	labels := write(t, "labels.tsv", "http://a.test/4\tgeology\nhttp://a.test/4\trocks\n")
	if r := must(t, trainVerb(), "", "-model", model, "-labels", labels, in); !strings.Contains(r.Stdout, "3 labels") {
		t.Errorf("%s", r.Stdout)
	}
}

// TestTrainWithForeignLabels: a list of labels of which no page has one is told beside the pages.
func TestTrainWithForeignLabels(t *testing.T) {
	in := batch(t, answer{"http://a.test/1", ok, about("arts", 1)}, answer{"http://a.test/2", ok, about("arts", 2)})
	labels := write(t, "labels.tsv", "# URL, label\nhttps://a.test/1\tarts\nhttps://a.test/2\trocks\n")
	empty := write(t, "empty.tsv", "# URL, label\n")
	tree := write(t, "tree", "arts\tall\nrocks\tall\n")
	model := filepath.Join(t.TempDir(), "m")
	for _, flags := range []string{"", "-nested", "-tree " + tree} {
		r := try(t, trainVerb(), append(strings.Fields(flags), "-model", model, "-labels", labels, in)...)
		want := "no page has a label of " + labels +
			`: 2 without one, the first "http://a.test/1"; the first label is of "https://a.test/1"`
		if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, want) {
			t.Errorf("%s: exit code %d, %s", flags, r.Code, r.Stderr)
		}
	}
	r := try(t, trainVerb(), "-model", model, "-labels", empty, in)
	if want := empty + " has no label"; r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, want) {
		t.Errorf("of an empty list: exit code %d, %s", r.Code, r.Stderr)
	}
	one := write(t, "one.tsv", "http://a.test/1\tarts\n")
	if r = try(t, trainVerb(), "-model", model, "-labels", one, in, labelledFolder(t)); r.Code != 0 ||
		!strings.Contains(r.Stdout, "1 without a label") {
		t.Errorf("of a list for one of the pages: exit code %d, %s%s", r.Code, r.Stdout, r.Stderr)
	}
}

// TestTrainRefuses: wrong flags and nothing to learn from; no file is left.
func TestTrainRefuses(t *testing.T) {
	dir := labelledFolder(t)
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct{ args, want string }{
		{"", "-model is required"},
		{"-model M -method guess", `method "guess" is none of`},
		{"-model M -select guess", `feature selection "guess" is none of`},
		{"-model M -method rocchio -smoothing 1", "-smoothing is for bayes and complement"},
		{"-model M -smoothing -1", "(up to 1000)"},
		{"-model M -smoothing NaN", "(up to 1000)"},
		{"-model M -cost 2", "-cost for linear"},
		{"-model M -fold 3/2", "is not a fold"},
		{"-model M -english guess", "want one of twostep, words, ngrams"},
		{"-model M -terms 100000", "no document to learn from"},
		{"-model M DIR/nothing", "no such file"},
		{"-model DIR/no/folder/m", "write model"},
	} {
		args := strings.Fields(strings.NewReplacer("M ", model+" ", "DIR", dir).Replace(c.args + " DIR"))
		if r := try(t, trainVerb(), args...); r.Code == 0 || !strings.Contains(r.Stderr, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, r.Code, r.Stderr)
		}
	}
	one := t.TempDir()
	if err := os.CopyFS(filepath.Join(one, "arts"), os.DirFS(filepath.Join(dir, "arts"))); err != nil {
		t.Fatal(err)
	}
	if r := try(t, trainVerb(), "-model", model, "-nested", one); r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, "nothing to choose from") {
		t.Errorf("one topic: exit %d, %s%s", r.Code, r.Stdout, r.Stderr)
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("there is a model all the same")
	}
}

// TestMethods: each method and its parameters make a model that knows the topics.
func TestMethods(t *testing.T) {
	dir, model := labelledFolder(t), filepath.Join(t.TempDir(), "m")
	for _, args := range []string{"", "-method lewis -features 20 -select df", "-method rocchio",
		"-method complement -smoothing 0.5",
		"-method linear -cost 10 -select ig -features 40", "-smoothing 0.1 -min-documents 1", "-ascii"} {
		must(t, trainVerb(), "", append(strings.Fields("-model "+model+" "+args), dir)...)
		if r := must(t, evalVerb(), "", "-model", model, "-english", "words", dir); !strings.Contains(r.Stdout,
			"of all 100.0 %") {
			t.Errorf("%q:\n%s", args, r.Stdout)
		}
	}
	if r := try(t, evalVerb(), "-model", model, "-terms", "100000", dir); r.Code == 0 ||
		!strings.Contains(r.Stderr, "there is no page to evaluate with") {
		t.Errorf("exit %d, %s", r.Code, r.Stderr)
	}
	if r := try(t, evalVerb(), dir); r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, "-model is required") {
		t.Errorf("exit %d, %s", r.Code, r.Stderr)
	}
}

// TestExplain: verdict, language and terms, and nothing that a terminal obeys.
func TestExplain(t *testing.T) {
	in := batch(t, answer{"http://a.test/rock", ok, about("geology", 2)},
		answer{"http://a.test/gone", "HTTP/1.1 404 x", ""},
		answer{"http://a.test/de", ok, about("german", 2)})
	evil := write(t, "evil\x1b[2J.txt", strings.ReplaceAll(about("geology", 3), "granite", "granite\x1b[2J"))
	r := must(t, explainVerb(), "", "-model", worldModel(t), "-top", "3", in, evil)
	for _, want := range []string{"http://a.test/rock\n  CLASSIFIABLE: status 200, 81 terms,", "  language: en; ",
		"100.0 %  geology", "for geology (+) or Fine arts (-)",
		"all other terms", "http://a.test/gone\n  INVALID: status 404, 0 terms",
		"above 60 % it is English, below 25 % it is not", "which are most like de", "takes more than 50 %",
		"  its topic counts only if", `evil\x1b[2J.txt`} {
		if !strings.Contains(r.Stdout, want) {
			t.Errorf("%q is missing in\n%s", want, r.Stdout)
		}
	}
	if strings.ContainsAny(r.Stdout, "\x1b\r") || strings.Count(r.Stdout, " × ") != 6 {
		t.Errorf("%q", r.Stdout)
	}
	if r := must(t, explainVerb(), about("geology", 4)); !strings.Contains(r.Stdout,
		"standard input\n  CLASSIFIABLE: ") {
		t.Errorf("of standard input: %q", r.Stdout)
	}
}

// TestRoute: a line for each page, as classify pages would send it.
func TestRoute(t *testing.T) {
	in := batch(t, answer{"http://a.test/rock", ok, about("geology", 2)},
		answer{"http://a.test/gone", "HTTP/1.1 404 x", ""},
		answer{"http://a.test/de", ok, about("german", 2)})
	evil := write(t, "arts\x1b\t.html", about("arts", 3))
	world, model := worldFile(t, world), worldModel(t)
	r := must(t, routeVerb(), "", "-nodes", world, "-node", "arts", "-model", model, in, evil)
	want := "geology\tgeology\t1.000\thttp://a.test/rock\narts\tinvalid\t-\thttp://a.test/gone\n" +
		"german\tde\t-\thttp://a.test/de\narts\tFine arts\t1.000\t"
	if rest, ok := strings.CutPrefix(r.Stdout, want); !ok || !strings.HasSuffix(rest, `arts\x1b\t.html"`+"\n") {
		t.Errorf("%q, want %q", r.Stdout, want)
	}
	if r := try(t, routeVerb(), "-nodes", world, "-node", "arts", "-by", "none", in); r.Code != 2 {
		t.Errorf("exit %d", r.Code)
	}
}

// TestFold: each name is of one fold, a file whatever folder it was read from, a URL as a whole.
func TestFold(t *testing.T) {
	names := []string{"http://a.test/p.html", "http://b.test/p.html"}
	for i := range 100 {
		names = append(names, fmt.Sprintf("/some/where/%d.html", i))
	}
	counts := map[string]int{}
	for _, s := range []string{"1/4", "2/4", "3/4", "4/4"} {
		train, eval := fold{}, fold{only: true}
		if train.set(s) != nil || eval.set(s) != nil {
			t.Fatalf("%s is not a fold", s)
		}
		for _, name := range names {
			if train.takes(name) == eval.takes(name) {
				t.Errorf("fold %s: train and eval agree about %s", s, name)
			}
			if eval.takes(name) {
				counts[name]++
				counts[s]++
			}
			if elsewhere := strings.Replace(name, "/some/where/", "else/",
				1); eval.takes(elsewhere) != eval.takes(name) {
				t.Errorf("fold %s: %s and %s differ", s, name, elsewhere)
			}
		}
		if counts[s] < 10 {
			t.Errorf("fold %s has %d of %d", s, counts[s], len(names))
		}
	}
	for _, name := range names {
		if counts[name] != 1 {
			t.Errorf("%s is of %d folds", name, counts[name])
		}
	}
	for _, s := range []string{"", "1", "0/2", "1/1", "-1/2", "a/b", "1/99999999"} {
		if new(fold).set(s) == nil {
			t.Errorf("%q was taken for a fold", s)
		}
	}
}
