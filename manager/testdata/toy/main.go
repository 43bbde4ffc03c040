// Toy plays the stages of the manager's tests: batches are lines of numbers, or of URLs that end in
// them.
//
//	toy copy  REPORT OUT IN…           every line to OUT
//	toy split REPORT ODD EVEN IN…      by parity
//	toy halve REPORT OUT IN…           n becomes n/2; 0 ends here
//	toy seen  REPORT LIST NEW OUT IN…  only what the state has not seen
//	toy picky REPORT OUT IN…           every line to OUT; dies of a 33
//	toy spread REPORT OUT IN…          every line to a folder of OUT, of three
//	toy wrap REPORT OUT IN…            n becomes a URL of one of five hosts
//
// TOY_SLOW is how long it takes over each output: it begins late, makes the
// folder it writes into, as programs do, and leaves half an output for a while.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "toy:", err)
		os.Exit(1)
	}
}

var report strings.Builder

func run(verb, reportPath string, args []string) error {
	fixed := map[string]int{"copy": 1, "split": 2, "halve": 1, "seen": 3, "picky": 1, "spread": 1, "wrap": 1}[verb]
	if fixed == 0 {
		return fmt.Errorf("unknown verb %q", verb)
	}
	lines, err := readAll(args[fixed:])
	if err != nil {
		return err
	}
	fmt.Fprintf(&report, "in %d\n", len(lines))
	switch verb {
	case "picky":
		if slices.Contains(lines, "33") {
			return fmt.Errorf("33 is too much")
		}
		err = write("out", args[0], lines)
	case "copy":
		err = write("out", args[0], lines)
	case "split":
		var parts [2][]string
		for _, l := range lines {
			n, _ := strconv.Atoi(l)
			parts[n&1] = append(parts[n&1], l)
		}
		err = write("out", args[0], parts[1])
		if err == nil {
			err = write("out", args[1], parts[0])
		}
	case "spread":
		err = spread(args[0], lines)
	case "wrap":
		for i, l := range lines {
			n, _ := strconv.Atoi(l)
			lines[i] = fmt.Sprintf("http://h%d.test/%d", n%5, n)
		}
		err = write("out", args[0], lines)
	case "halve":
		err = halve(args[0], lines)
	case "seen":
		err = seen(args[0], args[1], args[2], lines)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(reportPath, []byte(report.String()), 0o666)
}

// spread gives the files in folders names and extensions of their own.
func spread(out string, lines []string) error {
	folders := map[string][]string{}
	for _, l := range lines {
		n, _ := strconv.Atoi(l)
		folder := []string{"arts-0", "law.1", "WORLD_2"}[n/4%3]
		folders[folder] = append(folders[folder], l)
	}
	for folder, lines := range folders {
		dir := filepath.Join(filepath.Dir(out), folder)
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		path := filepath.Join(dir, "hash"+strings.TrimPrefix(filepath.Base(out), "m")+".gz")
		if err := write("out", path, lines); err != nil {
			return err
		}
	}
	return nil
}

func halve(out string, lines []string) error {
	var next []string
	ended := 0
	for _, l := range lines {
		if n, _ := strconv.Atoi(l); n > 1 {
			next = append(next, fmt.Sprint(n/2))
		} else {
			ended++
		}
	}
	fmt.Fprintf(&report, "reason ended %d\n", ended)
	return write("out", out, next)
}

// seen keeps a state of segments that are lists of lines; three segments become
// one.
func seen(list, fresh, out string, lines []string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	segments := strings.Fields(string(text))
	known := map[string]bool{}
	all, err := readAll(segments)
	if err != nil {
		return err
	}
	for _, l := range all {
		known[l] = true
	}
	var new []string
	for _, l := range lines {
		if !known[l] {
			new = append(new, l)
			known[l] = true
		}
	}
	fmt.Fprintf(&report, "reason seen %d\n", len(lines)-len(new))
	if err := write("out", out, new); err != nil || len(new) == 0 {
		return err
	}
	segment := new
	if len(segments) >= 2 {
		segment = append(all, new...)
		for _, s := range segments {
			fmt.Fprintf(&report, "replaces %s\n", s)
		}
	}
	slices.Sort(segment)
	return write("made", fresh, segment)
}

func readAll(paths []string) (lines []string, err error) {
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		for _, word := range strings.Fields(string(text)) {
			lines = append(lines, word[strings.LastIndex(word, "/")+1:])
		}
	}
	return lines, nil
}

func write(word, path string, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	text := strings.Join(lines, "\n") + "\n"
	fmt.Fprintf(&report, "%s %s %d %d %016x\n", word, filepath.Clean(path), len(lines), len(text),
		xxhash.Sum64String(text))
	if slow, err := time.ParseDuration(os.Getenv("TOY_SLOW")); err == nil {
		if err := half(path, text, slow/2); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// half writes half of a text, late and slowly.
func half(path, text string, pause time.Duration) error {
	time.Sleep(pause)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text[:len(text)/2]), 0o666); err != nil {
		return err
	}
	time.Sleep(pause)
	return nil
}
