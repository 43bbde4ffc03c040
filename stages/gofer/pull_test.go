package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/gofer/internal/testkit/storetest"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// Batches of all peers are brought once, and removed there by the run behind the commit.
func TestPull(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/1", "http://a.test/2"))
	r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/l\tdepth=2\n"))
	r.hold("law", "warc.gz", 1, pageBatch(t, "http://l.test/1"))

	u := r.pull()
	u.brought([]string{"http://a.test/1", "http://a.test/2", "http://l.test/1"}, []string{"http://a.test/l\tdepth=2"})
	u.says("count batches 3", "count from-arts-batches 2", "count from-arts-records 3", "count from-law-records 1")
	if n := len(r.held("arts")) + len(r.held("law")); n != 3 {
		t.Errorf("%d batches are left there before the commit, want 3", n)
	}

	r.hold("law", "zst", 2, urlBatch(t, "http://l.test/l\n"))
	u = r.pull()
	u.brought(nil, []string{"http://l.test/l"})
	u.says("count removed 3", "count batches 1")
	if n := len(r.held("arts")) + len(r.held("law")); n != 1 {
		t.Errorf("%d batches are left, want the one of this run", n)
	}

	u = r.pull()
	u.says("count removed 1")
	if u = r.pull(); u.Report != "in 0\n" {
		t.Errorf("nothing was there, and the run says\n%s", u.Report)
	}
}

// A run that is not committed has brought and removed nothing.
func TestPullNotCommitted(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/1"))
	for range 3 {
		u := r.start()
		u.brought([]string{"http://a.test/1"}, nil)
	}
	if len(r.held("arts")) != 1 {
		t.Error("the batch was removed before it was committed")
	}
	r.pull().brought([]string{"http://a.test/1"}, nil)
}

// A peer made anew, which counts its transactions from 1 again, is told by the contents: what was
// brought is not brought again, and what has the old number and other contents is.
func TestPeerMadeAnew(t *testing.T) {
	r := newRig(t)
	old := pageBatch(t, "http://a.test/1")
	r.hold("arts", "warc.gz", 1, old)
	r.pull()
	r.pull()
	if err := os.RemoveAll(r.path("arts")); err != nil {
		t.Fatal(err)
	}
	r.pull().says("count peers-absent 2")
	r.hold("arts", "warc.gz", 1, old)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/2"))
	u := r.pull()
	u.brought([]string{"http://a.test/2"}, nil)
	u.says("count removed 1")
	// The same from another peer is another batch.
	r.hold("law", "warc.gz", 1, old)
	r.pull().brought([]string{"http://a.test/1"}, nil)
}

// Torn batches stay, rest, and come in when they are whole; the others of their peer come in at
// once.
func TestTorn(t *testing.T) {
	whole := pageBatch(t, "http://a.test/1", "http://a.test/2")
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for name, content := range map[string][]byte{
		"cut": whole[:len(whole)-1], "empty": {}, "flipped": flipped, "longer": append(bytes.Clone(whole),
			0), "another": pageBatch(t, "http://b.test/"),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			batch := r.hold("arts", "warc.gz", 1, whole)
			r.write(outgoing("arts")+batch, content)
			r.hold("arts", "warc.gz", 2, pageBatch(t, "http://a.test/3"))
			u := r.pull()
			u.brought([]string{"http://a.test/3"}, nil)
			u.says("count torn 1", "count batches 1")
			if !strings.Contains(u.Report, "note arts:%20"+batch+"%20is%20torn") {
				t.Errorf("no note of it:\n%s", u.Report)
			}

			r.now = r.now.Add(firstRest - time.Second)
			if u = r.pull(); u.Has("count torn 1") || !strings.Contains(u.Report, "1%20torn%20or%20unfit") {
				t.Errorf("it was looked at while it rests:\n%s", u.Report)
			}
			r.now = r.now.Add(time.Second)
			r.pull().says("count torn 1")

			r.now = r.now.Add(2 * firstRest)
			r.write(outgoing("arts")+batch, whole)
			r.pull().brought([]string{"http://a.test/1", "http://a.test/2"}, nil)
			r.pull()
			if left := r.held("arts"); len(left) != 0 {
				t.Errorf("%q are left", left)
			}
		})
	}
}

// Batches whose hash is right and whose records are not are left alone for ever, and are in
// nobody's way.
func TestUnfit(t *testing.T) {
	whole := pageBatch(t, "http://a.test/1")
	cases := map[string][]byte{
		"warc.gz no gzip":        []byte("WARC/1.1\r\n"),
		"warc.gz cut":            whole[:len(whole)-9],
		"warc.gz checksum":       append(bytes.Clone(whole[:len(whole)-8]), 0, 0, 0, 0, 0, 0, 0, 0),
		"zst bad line":           urlBatch(t, "http://a.test/\nno url\n"),
		"zst no frame":           {0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff},
		"zst cut":                urlBatch(t, strings.Repeat("http://a.test/\n", 100))[:20],
		"zst line too long":      urlBatch(t, "http://a.test/"+strings.Repeat("a", 1<<17)),
		"zst terminal's control": urlBatch(t, "\x1b[2J\n"),
	}
	r := newRig(t)
	tx := 0
	for name, content := range cases {
		ext, _, _ := strings.Cut(name, " ")
		tx++
		r.hold("arts", ext, tx, content)
	}
	r.hold("arts", "warc.gz", 99, pageBatch(t, "http://a.test/fine"))
	u := r.pull()
	u.brought([]string{"http://a.test/fine"}, nil)
	u.says(fmt.Sprint("count unfit ", len(cases)))
	if n := strings.Count(u.Report, "note "); n != maxNotes {
		t.Errorf("%d notes, want %d:\n%s", n, maxNotes, u.Report)
	}
	r.now = r.now.Add(10 * maxRest)
	u = r.pull()
	u.says("count removed 1")
	if u.Has("count unfit") || !strings.Contains(u.Report, fmt.Sprint(len(cases), "%20torn%20or%20unfit")) {
		t.Errorf("looked at again:\n%s", u.Report)
	}
	if n := len(r.held("arts")); n != len(cases) {
		t.Errorf("%d are left, want %d", n, len(cases))
	}
}

// Pages that say another digest than they have are unfit: xdup goes by the digest.
func TestForgedDigest(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, forged(t))
	u := r.pull()
	u.brought(nil, nil)
	u.says("count unfit 1")
}

// Names that are none of ours are passed over, whatever they are, and stay.
func TestForeignNames(t *testing.T) {
	r := newRig(t)
	dir := r.path(outgoing("arts"))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	planted := 0
	for _, name := range append(storetest.HostileNames(), "m-000000000001-00001.zst",
		"0123456789abcdeg-000000000001-00001.zst",
		"0123456789abcdef-000000000001-00001.txt", "0123456789abcdef-000000000001-00001.zst.tmp",
		".0123456789abcdef-000000000001-00001.zst") {
		if strings.Contains(name, "/") || name == "." || name == ".." || name == "" ||
			os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666) != nil {
			continue
		}
		planted++
	}
	if planted < 15 {
		t.Fatalf("only %d names could be planted", planted)
	}
	u := r.pull()
	u.brought(nil, nil)
	u.says("count foreign 4")
	if n := len(r.held("arts")); n != planted {
		t.Errorf("%d names are left, want %d", n, planted)
	}
}

// What is brought in one run is bounded by peer; the rest comes with the next.
func TestMost(t *testing.T) {
	r := newRig(t)
	var all []string
	for i := range 6 {
		url := fmt.Sprint("http://a.test/", i)
		all = append(all, url)
		r.hold("arts", "zst", i+1, urlBatch(t, url+"\n"))
	}
	r.hold("law", "zst", 1, urlBatch(t, "http://l.test/\n"))
	u := r.pull("-most", "1B")
	u.says("in 2", "count left 5", "count batches 2")
	var got []string
	for range 5 {
		got = append(got, stagetest.Lines(t, u.dir+"/urls.zst")...)
		u = r.pull("-most", "1B")
	}
	got = append(got, stagetest.Lines(t, u.dir+"/urls.zst")...)
	slices.Sort(got)
	if !slices.Equal(got, append(all, "http://l.test/")) {
		t.Errorf("brought %q", got)
	}
}

// Small batches of several peers become one; a large output is cut.
func TestCut(t *testing.T) {
	r := newRig(t)
	var pages, urls []string
	for i := range 20 {
		peer, url := []string{"arts", "law"}[i%2], fmt.Sprint("http://a.test/", i)
		pages, urls = append(pages, url), append(urls, url)
		r.hold(peer, "warc.gz", i+1, pageBatch(t, url))
		r.hold(peer, "zst", i+1, urlBatch(t, url+"\n"))
	}
	u := r.start()
	u.brought(pages, urls)
	if n := strings.Count(u.Report, "\nout "); n != 2 {
		t.Errorf("%d parts, want 2:\n%s", n, u.Report)
	}
	u = r.start("-cut", "50B")
	u.brought(pages, urls)
	if n := strings.Count(u.Report, "\nout "); n < 20+5 || n > 20+7 {
		t.Errorf("%d parts, want a page or three or four URLs in each:\n%s", n, u.Report)
	}
}

// Lines that lack their end, and attributes that only stages of ours may give, do no harm.
func TestURLsPackedAnew(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1"))
	r.hold("arts", "zst", 2, urlBatch(t,
		"http://a.test/2\taddr=10.0.0.1:80\tdepth=3\tuntil=99999999999\tdelay=0\towner=law"))
	r.hold("arts", "zst", 3, urlBatch(t,
		"http://a.test/3\ttries=-9\toutages=-9\theld=1\tvia=http://a.test/2\tsince=9\treason=x\tmine=x"))
	r.hold("arts", "zst", 4, urlBatch(t, "http://a.test/4\tetag=x\tmodified=x\tdate=x\tvisit=3\tpeer=law\trel=listed"))
	r.hold("arts", "zst", 5, urlBatch(t, "http://a.test/5\tknown=1\nhttp://a.test/6\tasked=0\tscore=0.5\n"+
		"http://a.test/7\tworth=1\tinlinks=3\tmoved=1"))
	r.pull().brought(nil, []string{"http://a.test/1", "http://a.test/2\tdepth=3",
		"http://a.test/3\tvia=http://a.test/2\tmine=x", "http://a.test/4\trel=listed", "http://a.test/5",
		"http://a.test/6\tscore=0.5", "http://a.test/7\tinlinks=3\tmoved=1"})
}

// The URLs of the pages that are brought go to -arrived; what is brought as a URL is never marked
// so.
func TestArrivedURLs(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/\tdepth=2", "http://b.test/"))
	r.hold("law", "zst", 1, urlBatch(t, "http://c.test/\tarrived=1\tdepth=1\n"))
	to := r.path("arrived.zst")
	u := r.pull("-arrived", to)
	u.brought([]string{"http://a.test/", "http://b.test/"}, []string{"http://c.test/\tdepth=1"})
	if got, want := stagetest.Lines(t, to), []string{"http://a.test/\tarrived=1",
		"http://b.test/\tarrived=1"}; !slices.Equal(got, want) {
		t.Errorf("arrived: %q, want %q", got, want)
	}
	if !strings.Contains(u.Report, "made "+to+" 2 ") {
		t.Errorf("report:\n%s", u.Report)
	}
}

// Nothing is brought from a peer that works with another model or other nodes, or has not said with
// which; once both are the same all is. What a crawler says of itself stands in the folder of each
// other.
func TestAgreement(t *testing.T) {
	r := newRig(t)
	r.write("model", []byte("one"))
	r.write("other", []byte("another"))
	for _, peer := range []string{"arts", "law"} {
		r.hold(peer, "zst", 1, urlBatch(t, "http://"+peer+".test/\n"))
	}
	agree := func(node, nodes, model string) {
		t.Helper()
		r.write("nodes-"+node+".toml", []byte(nodes))
		p := pullVerb()
		if res := stagetest.Run(t, p.Tool, p.Setup, "", "-nodes", r.path("nodes-"+node+".toml"), "-node", node,
			"-urls", filepath.Join(t.TempDir(), "u"),
			"-outgoing", r.path(node+"/outgoing"), "-model", r.path(model), "-now",
			r.now.Format(time.RFC3339)); res.Code != stage.ExitDone {
			t.Fatalf("%s: %s", node, res.Stderr)
		}
	}
	pull := func(arts, law bool) {
		t.Helper()
		r.now = r.now.Add(time.Hour)
		u := r.pull("-outgoing", r.path("world/outgoing"), "-model", r.path("model"))
		var want []string
		for name, brought := range map[string]bool{"arts": arts, "law": law} {
			if brought {
				want = append(want, "http://"+name+".test/")
			}
		}
		u.brought(nil, want)
	}
	pull(false, false) // nobody has said anything
	agree("arts", threeNodes(), "other")
	agree("law", strings.Replace(threeNodes(), `"law"`, "\"law\"\nlabels = [\"justice\"]", 1), "model")
	r.now = r.now.Add(time.Hour)
	u := r.pull("-outgoing", r.path("world/outgoing"), "-model", r.path("model"))
	u.says("count peers-disagree 2")
	if !strings.Contains(u.Report, "another%20nodes.toml%20or%20another%20model") {
		t.Errorf("report:\n%s", u.Report)
	}
	agree("arts", strings.Replace(threeNodes(), "file:", "file:../x/../", 1),
		"model") // another way to the same folders is no difference
	pull(true, false)
	agree("law", threeNodes(), "model")
	pull(false, true)
	if names := r.held("law"); len(names) != 2 { // its batch, which the next run removes, and one agreement
		t.Errorf("law holds %q", names)
	}
	if said, err := filepath.Glob(r.path("world/outgoing/*/agreed-*")); len(said) != 2 {
		t.Errorf("world has said %q, %v", said, err)
	}
}

// Pages lose an owner, too, and say who has delivered them, whatever they said before.
func TestPagesSayPeer(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/1", "http://a.test/2\towner=law\tdepth=3",
		"http://a.test/3\towner=law\tpeer=law"))
	u := r.pull()
	u.brought([]string{"http://a.test/1", "http://a.test/2", "http://a.test/3"}, nil)
	file, err := os.Open(filepath.Join(u.dir, "pages.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var got []string
	_, err = eachPage(t.Context(), "", file, func(_ *warc.Reader, a *warc.Answer) error {
		got = append(got, string(a.Record().Line()))
		return nil
	})
	if want := []string{"http://a.test/1\tpeer=arts", "http://a.test/2\tdepth=3\tpeer=arts",
		"http://a.test/3\tpeer=arts"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// A kind of batches that has no output stays where it is.
func TestUnwanted(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
	u := r.pull("-urls", "")
	u.brought(nil, nil)
	if !strings.Contains(u.Report, "1%20URL%20batches%20wait%20there") {
		t.Errorf("no word of it:\n%s", u.Report)
	}
	r.pull().brought(nil, []string{"http://a.test/1"})
}

// A batch larger than it may be is left until it may.
func TestLargest(t *testing.T) {
	r := newRig(t)
	r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
	u := r.pull("-largest", "5B")
	u.brought(nil, nil)
	u.says("count large 1")
	r.pull().brought(nil, []string{"http://a.test/1"})
}

// Peers that cannot be used are in nobody's way; if none can, the run is tried again later.
func TestTrouble(t *testing.T) {
	r := newRig(t)
	r.write("arts/outgoing/world", []byte("this is no folder"))
	r.hold("law", "zst", 1, urlBatch(t, "http://l.test/\n"))
	u := r.pull()
	u.brought(nil, []string{"http://l.test/"})
	u.says("count peers-failed 1")
	if err := os.RemoveAll(r.path("law")); err != nil {
		t.Fatal(err)
	}
	r.pull().says("count peers-failed 1", "count peers-absent 1")
	r.write("law/outgoing/world", []byte("this is no folder"))
	if u := r.start(); u.Code != stage.ExitLater || !strings.Contains(u.Stderr, "no peer could be reached") ||
		!strings.Contains(u.Stderr, "not a directory") {
		t.Errorf("exit %d: %s", u.Code, u.Stderr)
	}
}

func TestUsage(t *testing.T) {
	r := newRig(t)
	for want, args := range map[string][]string{
		"give no arguments":  {"x.zst"},
		"-pages FILE or":     {"-pages", "", "-urls", ""},
		"must be above 0":    {"-cut", "0"},
		"-nodes FILE and":    {"-node", ""},
		`no node "wrld"`:     {"-node", "wrld"},
		"no such file":       {"-nodes", r.path("nowhere")},
		"-now: parsing time": {"-now", "x"},
	} {
		if u := r.start(args...); u.Code == stage.ExitDone || !strings.Contains(u.Stderr, want) {
			t.Errorf("%q: exit %d, %q; want %q", args, u.Code, u.Stderr, want)
		}
	}
}

// TestMemory holds what -h says of memory: peers whose records are as large as may be,
// incompressible, all at once.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	stagetest.Peak(t, 350<<20, func(dir string) {
		r := &rig{T: t, dir: dir}
		r.write("nodes.toml", []byte(crewOf("file:$FROM/outgoing/$TO", "a", "b", "c", "d", "world")))
		noise := make([]byte, 60<<20)
		rand.NewChaCha8([32]byte{}).Read(noise)
		page := pageBatchOf(t, func(string) string { return string(noise) }, "http://a.test/1")
		for _, peer := range []string{"a", "b", "c", "d"} {
			r.hold(peer, "warc.gz", 1, page)
		}
	}, func(dir string) {
		r := &rig{T: t, dir: dir, now: time.Now()}
		if u := r.pull(); !u.Has("count batches 4") {
			t.Fatalf("not all was brought:\n%s", u.Report)
		}
	})
}

// TestDefaultBounds holds that a batch that a peer could only have made to harm stays there,
// unread.
func TestDefaultBounds(t *testing.T) {
	r := newRig(t)
	name := r.hold("arts", "zst", 1, nil)
	if err := os.Truncate(r.path(outgoing("arts")+name), 3<<30); err != nil { // no block of it is on the disk
		t.Fatal(err)
	}
	if u := r.pull(); !u.Has("count large 1") || u.Has("count torn 1") {
		t.Errorf("a sparse file of 3 GB was read:\n%s", u.Report)
	}
	if b := (&config{cut: new(stage.Size)}).bounds(); b.urls > 1<<30 || b.pages > 4<<30 {
		t.Errorf("batches may unfold to %d and %d bytes", b.urls, b.pages)
	}
}
