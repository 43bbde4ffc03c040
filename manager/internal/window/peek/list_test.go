package peek

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"multitext/txlog"
)

// The pages of a list have each name once, in order, however the names come.
func TestPages(t *testing.T) {
	var all []txlog.Name
	for i := range 5000 {
		all = append(all, txlog.Name(fmt.Sprintf("q/%s-%012d-00001.zst", []string{"z", "a"}[i%2], i/2)))
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, most := range []int{300, 5000, 1 << 40} {
		var got []txlog.Name
		for more, after := true, txlog.Name(""); more; {
			p := Page{Most: most, After: after}
			for _, name := range all {
				p.Add(name)
			}
			if p.Count != len(all) {
				t.Errorf("%d names were counted, want %d", p.Count, len(all))
			}
			var names []txlog.Name
			if names, more = p.Names(); len(names) != most && more {
				t.Fatalf("a page has %d names", len(names))
			}
			got = append(got, names...)
			after = got[len(got)-1]
		}
		if want := slices.SortedFunc(slices.Values(all), Newer); !slices.Equal(got, want) {
			t.Errorf("pages of %d: %d names, want %d: %v", most, len(got), len(want), got)
		}
	}
	if a, b := txlog.Name("q/m-000000000002-00001.zst"), txlog.Name("q/m-000000000001-00002.zst"); Newer(a, b) >= 0 || Newer(b, a) <= 0 {
		t.Error("the newest is not first")
	}
}

// Only regular files with names of batches are listed. A link is never followed.
func TestList(t *testing.T) {
	root := t.TempDir()
	outside := filepath.Join(t.TempDir(), "m-000000000009-00001.zst")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"q/m-000000000001-00001.zst", "q/other", "q/<b>-000000000002-00001.zst", "q/.hidden",
		"q/arts/m-000000000003-00001.zst", "q/arts/deep/m-000000000004-00001.zst", "q/-x/m-000000000005-00001.zst"} {
		must(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777))
		must(os.WriteFile(filepath.Join(root, name), nil, 0o666))
	}
	must(os.WriteFile(outside, nil, 0o666))
	must(os.Symlink(outside, filepath.Join(root, "q/m-000000000006-00001.zst")))
	must(os.Symlink(filepath.Dir(outside), filepath.Join(root, "q/law")))
	must(os.Symlink(filepath.Dir(outside), filepath.Join(root, "away")))
	must(syscall.Mkfifo(filepath.Join(root, "q/m-000000000007-00001.zst"), 0o666))
	must(os.Mkdir(filepath.Join(root, "q/m-000000000008-00001.zst"), 0o777))
	list := func(queue string, export bool) (names []txlog.Name, all bool, err error) {
		all, err = List(t.Context(), root, queue, export, func(n txlog.Name) { names = append(names, n) })
		slices.Sort(names)
		return names, all, err
	}
	for _, c := range []struct {
		queue  string
		export bool
		want   []txlog.Name
	}{
		{"q", false, []txlog.Name{"q/m-000000000001-00001.zst"}},
		{"q", true, []txlog.Name{"q/arts/m-000000000003-00001.zst", "q/m-000000000001-00001.zst"}},
		{"none", true, nil},
	} {
		if names, all, err := list(c.queue, c.export); err != nil || !all || !slices.Equal(names, c.want) {
			t.Errorf("%s: %v, %t, %v; want %v", c.queue, names, all, err, c.want)
		}
	}
	if names, all, err := list("away", true); err != nil || all || len(names) > 0 {
		t.Errorf("a symbolic link lists %v, %t, %v; want that not all is listed", names, all, err)
	}
	for _, queue := range []string{"..", "../" + filepath.Base(filepath.Dir(outside))} {
		if names, _, err := list(queue, true); err == nil {
			t.Errorf("%s, outside of the directory, is listed: %v", queue, names)
		}
	}
}
