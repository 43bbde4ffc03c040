package experiment

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	out  = flag.String("out", "", "run the whole experiment and write its table, curves and pictures into `DIR`")
	only = flag.String("only", "", "of the whole experiment run these scenarios, separated by commas")
)

// play runs the plan's steady scenario.
func play(t *testing.T, p Plan, way Way) Result {
	t.Helper()
	res, err := Run(p, Scenarios()[0], way)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func way(t *testing.T, name string) Way {
	t.Helper()
	ways := Short().Ways()
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Name == name })
	if i < 0 {
		t.Fatalf("no control %q", name)
	}
	return ways[i]
}

// The predictor alone keeps the mean, closer than the controls that only look back, and knows what
// comes. One that thinks that all servers are the same does neither.
func TestPredictorKeepsTheMean(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	predict, fixed := play(t, Short(), way(t, "predict-100")), play(t, Short(), way(t, "predict-100-fixed"))
	if predict.Mean < 1-MeanWithin || predict.Mean > 1+MeanWithin {
		t.Errorf("the mean is %.3f of the limit", predict.Mean)
	}
	if fixed.Error < 2*predict.Error || fixed.Miss < 2*predict.Miss {
		t.Errorf("errors are %.3f a second and %.3f a download; of one rate for all servers %.3f and %.3f",
			predict.Error, predict.Miss, fixed.Error, fixed.Miss)
	}
	for _, name := range []string{"onoff", "connections"} {
		other := play(t, Short(), way(t, name))
		if spread(predict) > 0.8*spread(other) {
			t.Errorf("nine tenths of the seconds lie within %.3f of the limit; with %s within %.3f", spread(predict),
				name, spread(other))
		}
	}
	if predict.FastN < 5 {
		t.Errorf("fast servers were asked %d times", predict.FastN)
	}
}

func spread(r Result) float64 { return r.P95 - r.P5 }

func TestNoSecondIsAboveTheCeiling(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	p := Short()
	p.Warm, p.Measured = time.Minute, time.Minute
	with, without := play(t, p, way(t, "predict-100+ceiling")), play(t, p, way(t, "predict-100"))
	if with.Peak > 1+PeakWithin || without.Peak <= 1+PeakWithin {
		t.Errorf("the highest second is %.3f of the limit, without the ceiling %.3f", with.Peak, without.Peak)
	}
	if with.Mean < 0.85 { // the servers are hardly known yet
		t.Errorf("the mean is %.3f of the limit", with.Mean)
	}
}

func TestTableAndPicture(t *testing.T) {
	p := Short()
	p.Warm, p.Measured = 0, 5*time.Second
	var results []Result
	for _, name := range []string{"onoff", "predict-100"} {
		res, err := Run(p, Scenarios()[0], way(t, name))
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, res)
	}
	var table, curve, picture strings.Builder
	if err := errors.Join(WriteTable(&table, Scenarios()[0], results), WriteCurve(&curve, results[1]),
		WritePicture(&picture, "x", results)); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(table.String()), "\n")[2:] {
		if n := strings.Count(line, "|"); n != len(columns())+1 {
			t.Errorf("a row of %d bars: %s", n, line)
		}
	}
	if n := strings.Count(curve.String(), "\n"); n != 1+5 {
		t.Errorf("the curve of five seconds has %d lines", n)
	}
	if err := xml.Unmarshal([]byte(picture.String()), new(struct{})); err != nil {
		t.Errorf("the picture is no XML: %v", err)
	}
	drawn := regexp.MustCompile("stroke:#(CC3333|1144AA|008800)").FindAllString(picture.String(), -1)
	if n := len(drawn); n != 5 {
		t.Errorf("%d lines are drawn, want two assigned, two measured and one predicted", n)
	}
}

// TestWhole is the experiment; it takes an hour:
//
//	go test ./stages/internal/testkit/experiment -run Whole -out DIR -timeout 5h -v
func TestWhole(t *testing.T) {
	if *out == "" {
		t.Skip("the whole experiment runs with -out DIR")
	}
	for _, s := range Scenarios() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) { whole(t, s) })
	}
}

func whole(t *testing.T, s Scenario) {
	var results []Result
	for _, way := range ThePlan().Ways() {
		res, err := Run(ThePlan(), s, way)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, res)
		save(t, s.Name+"-"+way.Name+".tsv", func(w io.Writer) error { return WriteCurve(w, res) })
		t.Logf("%s: mean %.3f", way.Name, res.Mean)
	}
	save(t, s.Name+".md", func(w io.Writer) error { return WriteTable(w, s, results) })
	save(t, s.Name+".svg", func(w io.Writer) error { return WritePicture(w, s.Name+": "+s.About, results) })
}

func save(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	if err := os.MkdirAll(*out, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(*out, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
