package topics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"multitext/classify"
)

// world is a tree with an only child, an inner topic that has documents of its own, and a leaf at
// the first level.
const world = `# the tree of the tests
hockey	sport
baseball	sport
sport	all
arts	all
painting	arts
oil	painting
chalk	painting
other	all
`

func tree(t testing.TB, text string) *Tree {
	t.Helper()
	tree, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func topic(t testing.TB, tree *Tree, name string) int {
	t.Helper()
	n, ok := tree.Find(name)
	if !ok {
		t.Fatalf("%q is not in the tree", name)
	}
	return n
}

func bag(text string) *classify.Document {
	d := new(classify.Document)
	for word := range strings.FieldsSeq(text) {
		d.Add([]byte(word))
	}
	return d
}

// A document has a word of its topic and of each topic above with some chance, and any words.
func text(tree *Tree, of int, rnd *rand.Rand) string {
	var b strings.Builder
	for range 5 + rnd.IntN(25) {
		at := rnd.IntN(tree.Len())
		if rnd.IntN(3) > 0 {
			for at = of; rnd.IntN(3) == 0 && at != Root; at = tree.Parent(at) {
			}
		}
		fmt.Fprintf(&b, "w%s%d ", tree.Name(at), rnd.IntN(12))
	}
	return b.String()
}

// sample gives n documents of each leaf, and of painting.
func sample(tree *Tree, n int, seed uint64) (labels, texts []string) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range n {
		for at := 1; at < tree.Len(); at++ {
			if tree.Leaf(at) || tree.Name(at) == "painting" {
				labels, texts = append(labels, tree.Name(at)), append(texts, text(tree, at, rnd))
			}
		}
	}
	return labels, texts
}

func training(t testing.TB, labels, texts []string) *classify.Training {
	t.Helper()
	tr := new(classify.Training)
	for i := range texts {
		if err := tr.Add(labels[i], bag(texts[i])); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

func train(t testing.TB, n int, method classify.Method) *Model {
	t.Helper()
	tree := tree(t, world)
	labels, texts := sample(tree, n, 1)
	m, err := Train(training(t, labels, texts), tree, classify.Options{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestJudge: by every method Pr(c|d) is that of the parent times the confidence of its model, an
// only child has that of its parent, and what is at one depth adds up to 1.
func TestJudge(t *testing.T) {
	for _, method := range classify.Methods() {
		m := train(t, 20, method)
		_, texts := sample(m.Tree, 3, 2)
		var j Judgement
		var r classify.Ranking
		for _, text := range append(texts, "", "nothing known") {
			m.Judge(bag(text), &j)
			for parent, at := range m.at {
				if at == nil {
					continue
				}
				at.Classify(bag(text), &r)
				for _, c := range r.Topics {
					want := j.Probability(parent) * c.Confidence
					if got := j.Probability(topic(t, m.Tree, c.Label)); math.Abs(got-want) > 1e-12 {
						t.Errorf("%s: Pr(%s|d) = %v, want %v", method.Name(), c.Label, got, want)
					}
				}
			}
			if j.Log[topic(t, m.Tree, "painting")] != j.Log[topic(t, m.Tree, "arts")] {
				t.Errorf("%s: an only child has %v", method.Name(), j.Log)
			}
			for depth := 1; depth <= 5; depth++ {
				total := 0.0
				m.Tree.cut(depth, func(at int) { total += j.Probability(at) })
				if math.Abs(total-1) > 1e-9 {
					t.Errorf("%s: at depth %d all is %v", method.Name(), depth, total)
				}
			}
		}
	}
}

// TestLogs: of topics too improbable for a float64 the less improbable one is known.
func TestLogs(t *testing.T) {
	tr := training(t, []string{"a", "b", "c"}, []string{"x x x y", "y y x z", "z z z y"})
	m, err := Train(tr, tree(t, "a\tall\nb\tall\nc\tall"),
		classify.Options{Method: classify.Complement{Smoothing: 1e-9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range m.at {
		if at != nil {
			at = sharpened(t, at, 1e6)
			m.at[topic(t, m.Tree, "all")] = at
		}
	}
	var j Judgement
	m.Judge(bag("x x y"), &j)
	b, c := j.Log[topic(t, m.Tree, "b")], j.Log[topic(t, m.Tree, "c")]
	if j.Probability(topic(t, m.Tree, "b")) != 0 || math.IsInf(c, 0) || !(b > c) {
		t.Errorf("the logarithms are %v", j.Log)
	}
}

// TestBestAndRelevance by hand: the best leaf need not be in the best topic of the first level.
func TestBestAndRelevance(t *testing.T) {
	tree := tree(t, "a1\ta\na2\ta\nb1\tb\nb2\tb\n")
	j := Judgement{tree: tree, Log: make([]float64, tree.Len())}
	for name, p := range map[string]float64{"a": 0.55, "a1": 0.28, "a2": 0.27, "b": 0.45, "b1": 0.4, "b2": 0.05} {
		j.Log[topic(t, tree, name)] = math.Log(p)
	}
	if best := tree.Name(j.Best()); best != "b1" {
		t.Errorf("best is %s", best)
	}
	even := Judgement{tree: tree, Log: make([]float64, tree.Len())}
	if best := tree.Name(even.Best()); best != "a1" {
		t.Errorf("of equal leaves best is %s", best)
	}
	for _, c := range []struct {
		names  string
		r      float64
		wanted bool
	}{{"a", 0.55, false}, {"b", 0.45, true}, {"a1,b1", 0.68, true}, {"a1,a2,b2", 0.6, false}, {"b1", 0.4, true},
		{"a,b", 1, true}} {
		good, err := tree.Good(strings.Split(c.names, ","))
		if r := j.Relevance(good); err != nil || math.Abs(r-c.r) > 1e-9 || j.Wanted(good) != c.wanted {
			t.Errorf("good %s: R is %v, wanted %v, %v", c.names, r, j.Wanted(good), err)
		}
	}
}

// TestRounded: a relevance that the rounding of logarithms takes above 1 is 1.
func TestRounded(t *testing.T) {
	j := Judgement{Log: []float64{0, math.Log(0.5), math.Log(0.5) + 1e-9}}
	if r := j.Relevance([]int{1, 2}); r != 1 {
		t.Errorf("R is %v", r)
	}
}

// TestInnerDocuments: a document of an inner topic teaches the models above it, and not its own.
func TestInnerDocuments(t *testing.T) {
	tree := tree(t, "hockey\tsport\nbaseball\tsport\narts\tall\nsport\tall")
	m, err := Train(training(t, []string{"hockey", "baseball", "arts", "sport"},
		[]string{"puck", "bat", "brush", "referee"}), tree, classify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var j Judgement
	m.Judge(bag("referee"), &j)
	sport, hockey := j.Probability(topic(t, tree, "sport")), j.Probability(topic(t, tree, "hockey"))
	if sport < 0.51 || math.Abs(hockey-sport/2) > 1e-9 {
		t.Errorf("sport has %v, hockey %v", sport, hockey)
	}
	if n := m.at[topic(t, tree, "sport")].Terms(); n != 2 {
		t.Errorf("the model of sport knows %d terms, want puck and bat", n)
	}
}

// TestTrainRefuses what is no topic, and a leaf without documents.
func TestTrainRefuses(t *testing.T) {
	tree := tree(t, "a\tall\nb\tall")
	for want, labels := range map[string][]string{
		`"c", which is no topic`: {"a", "b", "c"}, `"b" has no document`: {"a", "all"},
	} {
		_, err := Train(training(t, labels, []string{"x", "y", "z"}[:len(labels)]), tree, classify.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", labels, err)
		}
	}
}

// TestRepeatable: the file depends on the documents and the tree, not on their order.
func TestRepeatable(t *testing.T) {
	labels, texts := sample(tree(t, world), 6, 1)
	for _, method := range classify.Methods() {
		var files [][]byte
		for seed := range uint64(3) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			lines := strings.Split(strings.TrimSpace(world), "\n")
			rnd.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
			var l, x []string
			for _, i := range rnd.Perm(len(texts)) {
				l, x = append(l, labels[i]), append(x, texts[i])
			}
			m, err := Train(training(t, l, x), tree(t, strings.Join(lines, "\n")),
				classify.Options{Method: method, Terms: 30})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, encode(t, m))
		}
		if !bytes.Equal(files[0], files[1]) || !bytes.Equal(files[0], files[2]) {
			t.Errorf("%s: the order changes the file", method.Name())
		}
	}
}

// TestPropose by hand: the fewest leaves, and a topic for all its leaves.
func TestPropose(t *testing.T) {
	tree := tree(t, "a1\ta\na2\ta\nb1\tb\nb2\tb\n")
	add := func(e *Examples, p map[string]float64) {
		j := Judgement{tree: tree, Log: make([]float64, tree.Len())}
		for at := range j.Log {
			j.Log[at] = math.Log(p[tree.Name(at)])
		}
		e.Add(&j)
	}
	var e Examples
	if e.Propose(0.8) != nil {
		t.Error("something is proposed without examples")
	}
	add(&e, map[string]float64{"a": 0.9, "a1": 0.6, "a2": 0.3, "b": 0.1, "b1": 0.06, "b2": 0.04})
	add(&e, map[string]float64{"a": 0.7, "a1": 0.5, "a2": 0.2, "b": 0.3, "b1": 0.26, "b2": 0.04})
	for _, c := range []struct {
		share float64
		want  string
	}{{0.5, "a1"}, {0.79, "a"}, {0.9, "a,b1"}, {1, "a,b"}} {
		var names []string
		for _, at := range e.Propose(c.share) {
			names = append(names, tree.Name(at))
		}
		if got := strings.Join(names, ","); got != c.want {
			t.Errorf("for a share of %v: %s, want %s", c.share, got, c.want)
		}
	}
	if m := e.Mean(topic(t, tree, "a")); math.Abs(m-0.8) > 1e-9 || e.Len() != 2 {
		t.Errorf("a holds %v of %d", m, e.Len())
	}
}

// TestEvaluate: the counts are those of judging each document by hand.
func TestEvaluate(t *testing.T) {
	m := train(t, 30, classify.NaiveBayes{Smoothing: 1})
	labels, texts := sample(m.Tree, 30, 9)
	e := m.Evaluate()
	right, first, leaves, brier := 0, 0, 0, 0.0
	var j Judgement
	for i := range texts {
		if err := e.Add(labels[i], bag(texts[i])); err != nil {
			t.Fatal(err)
		}
		m.Judge(bag(texts[i]), &j)
		truth := topic(t, m.Tree, labels[i])
		top := func(depth int) (best int) {
			m.Tree.cut(depth, func(at int) {
				if best == Root || j.Log[at] > j.Log[best] {
					best = at
				}
			})
			return best
		}
		if above, _ := m.Tree.Above(truth, 2); above == top(2) {
			first++
		}
		if !m.Tree.Leaf(truth) {
			continue
		}
		leaves++
		if j.Best() == truth {
			right++
		}
		m.Tree.cut(9, func(at int) {
			p := j.Probability(at)
			if at == truth {
				p--
			}
			brier += p * p
		})
	}
	s, two := e.Leaves().Summary(), e.Level(2).Summary()
	if s.Documents != leaves || math.Abs(s.Overall-float64(right)/float64(leaves)) > 1e-9 || s.Overall < 0.5 {
		t.Errorf("of the leaves %+v, want %d of %d right", s, right, leaves)
	}
	if math.Abs(s.Brier-brier/float64(leaves)) > 1e-9 {
		t.Errorf("Brier's score is %v, want %v", s.Brier, brier/float64(leaves))
	}
	if two.Documents != len(texts) || math.Abs(two.Overall-float64(first)/float64(len(texts))) > 1e-9 {
		t.Errorf("at depth 2 %+v, want %d of %d right", two, first, len(texts))
	}
	painting := e.Node(topic(t, m.Tree, "painting")).Summary()
	if painting.Documents != 60 {
		t.Errorf("the model of painting judged %d documents, want those of oil and chalk", painting.Documents)
	}
	var b strings.Builder
	if err := e.Print(&b); err != nil || !strings.Contains(b.String(), "\n  painting ") ||
		!strings.Contains(b.String(), "\n  at depth 4 ") ||
		strings.Contains(b.String(), "\n  at depth 1 ") || strings.Contains(b.String(), "\n  arts ") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := e.Add("nothing", bag("x")); err == nil {
		t.Error("a label that is no topic is taken")
	}
}

// TestExplain: the way down to the best leaf, harmless on a terminal.
func TestExplain(t *testing.T) {
	m := train(t, 20, classify.NaiveBayes{Smoothing: 1})
	var b strings.Builder
	if err := m.Explain(&b, bag("wchalk1 wchalk2 wpainting1 warts3 \x1b[2J"), 3); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{"\nall below the root", "only one there",
		"\narts below all: Pr(c|d) = 1.0000 · ", "for arts (+)",
		"\npainting below arts", "only one there", "\nchalk below painting", "wchalk1 × 1"} {
		next := strings.Index(b.String()[at+1:], want)
		if next < 0 {
			t.Fatalf("%q is missing, or not in order:\n%s", want, b.String())
		}
		at += 1 + next
	}
	evil := tree(t, "a\u202e\tall\nb\tall")
	m, err := Train(training(t, []string{"a\u202e", "b"}, []string{"x", "y"}), evil, classify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Explain(&b, bag("x"), 3); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("what a terminal would interpret is printed:\n%q", b.String())
	}
}

func names(tree *Tree, topics []int) (names []string) {
	for _, at := range topics {
		names = append(names, tree.Name(at))
	}
	return names
}

// TestTree: parents come first, siblings in order, and what is below a topic after it.
func TestTree(t *testing.T) {
	tr := tree(t, world)
	var all []string
	for at := 1; at < tr.Len(); at++ {
		all = append(all, fmt.Sprint(strings.Repeat(">", tr.Depth(at)), tr.Name(at)))
	}
	if got := strings.Join(all, " "); got !=
		">all >>arts >>>painting >>>>chalk >>>>oil >>other >>sport >>>baseball >>>hockey" {
		t.Error(got)
	}
	all1, painting, sport := topic(t, tr, "all"), topic(t, tr, "painting"), topic(t, tr, "sport")
	if got := names(tr, tr.Children(all1)); !slices.Equal(got, []string{"arts", "other", "sport"}) {
		t.Errorf("below all: %q", got)
	}
	for at := 1; at < tr.Len(); at++ {
		n := tr.Name(at)
		if tr.In(at, painting) != (n == "painting" || n == "oil" || n == "chalk") {
			t.Errorf("%s in painting: %v", n, tr.In(at, painting))
		}
	}
	if _, ok := tr.Above(sport, 3); ok {
		t.Error("sport is in a topic below it")
	}
	nested, err := Nested([]string{"sport/hockey", "sport/baseball", "arts/painting/oil", "arts",
		"arts/painting/chalk"})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(nested, nested.Children(topic(t, nested, "arts/painting"))); !slices.Equal(got,
		[]string{"arts/painting/chalk", "arts/painting/oil"}) || len(nested.Children(Root)) != 2 {
		t.Errorf("nested: %q", got)
	}
}

// TestTreesAreRefused that are none, or too large.
func TestTreesAreRefused(t *testing.T) {
	deep, wide := "a\tb\n", ""
	for i := range maxDepth {
		deep += fmt.Sprintf("%d\t%d\n", i+1, i)
	}
	for i := range maxTopics + 1 {
		wide += fmt.Sprintf("%d\tx\n", i)
	}
	for name, c := range map[string][2]string{
		"empty": {"# nothing\n", "no topic"}, "one word": {"a\n", "line 1: want"},
		"no parent": {"x\ty\na\t\n", "line 2: want"},
		"itself":    {"a\ta\n", "above itself"}, "a circle": {"x\ty\na\tb\nb\ta\n", "above itself"},
		"two parents": {"a\tb\na\tc\n", `"a" is below "b" already`}, "deep": {deep, "more than 16 levels"},
		"wide": {wide, "more than 4096"}, "a comma": {"a,b\tc\n", "no name"}, "a control": {"a\x07\tc\n", "no name"},
		"a long name": {strings.Repeat("a", 256) + "\tc\n", "no name"}, "no UTF-8": {"\xff\tc\n", "no name"},
		"a tab": {"a\tb\tc\n", "no name"},
	} {
		if _, err := Read(strings.NewReader(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", name, err, c[1])
		}
	}
	if _, err := Nested([]string{"a//b"}); err == nil {
		t.Error("a//b is taken")
	}
	if _, err := Nested([]string{strings.Repeat("a/", 200)}); err == nil {
		t.Error("a long path is taken")
	}
}

// TestGood: a good topic that lies below another is refused, in either order.
func TestGood(t *testing.T) {
	tr := tree(t, world)
	if good, err := tr.Good([]string{"sport", "oil"}); err != nil ||
		!slices.Equal(names(tr, good), []string{"oil", "sport"}) {
		t.Errorf("%v, %v", good, err)
	}
	for want, list := range map[string][]string{
		`"oil" lies below "arts"`: {"arts", "oil"}, `"hockey" lies below "sport"`: {"hockey", "sport"},
		`"oil" is named twice`: {"oil", "chalk", "oil"}, `"x" is no topic`: {"x"}, "no topic is good": nil,
		`"" is no topic`: {""},
	} {
		if _, err := tr.Good(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", list, err, want)
		}
	}
}

// TestGoodTellsNames: a name that is missing is answered with those that there are, at most ten.
func TestGoodTellsNames(t *testing.T) {
	wide := "a\u202eb\tall\n"
	for i := range 12 {
		wide += fmt.Sprintf("t%02d\tall\n", i)
	}
	for lines, want := range map[string]string{
		"other\tall\ntopic\tall\n": `"x" is no topic of the tree; it has: all, other, topic`,
		wide: `"x" is no topic of the tree; it has: all, "a\u202eb", ` +
			`t00, t01, t02, t03, t04, t05, t06, t07 and 4 more`,
	} {
		if _, err := tree(t, lines).Good([]string{"x"}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
