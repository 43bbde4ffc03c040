package main

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/gofer/internal/testkit/servertest"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// bucketNodes is a crew whose batches lie in the bucket of the service at an address.
func bucketNodes(address string) string {
	url := "s3://" + servertest.Bucket + "/c4/to/$TO/from/$FROM?endpoint=http://" + address
	return crewOf(url, "arts", "law", "world")
}

// newBucketRig is a rig whose crew meets in a bucket.
func newBucketRig(t *testing.T, address string) *rig {
	t.Helper()
	servertest.SetKeys(t)
	r := newRig(t)
	r.write("nodes.toml", []byte(bucketNodes(address)))
	return r
}

// ship makes a run of a node's.
func (r *rig) ship(node string) stagetest.Result {
	r.Helper()
	v := shipVerb()
	return stagetest.Run(r, v.Tool, v.Setup, "", "-nodes", r.path("nodes.toml"), "-node", node, "-outgoing",
		r.path(node+"/outgoing"), "-timeout", "1s")
}

func (r *rig) mustShip(node string) stagetest.Result {
	r.Helper()
	res := r.ship(node)
	if res.Code != stage.ExitDone {
		r.Fatalf("exit %d: %s", res.Code, res.Stderr)
	}
	return res
}

// inBucket are the names that lie in the bucket for a node.
func (r *rig) inBucket(address, from, to string) (names []string) {
	r.Helper()
	s, err := store.Open(r.Context(), servertest.S3URL(address, "c4/to/"+to+"/from/"+from), store.Options{})
	if err != nil {
		r.Fatal(err)
	}
	defer s.Close()
	for e, err := range s.List(r.Context()) {
		if err != nil {
			r.Fatal(err)
		}
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return names
}

// What lies in outgoing goes into the bucket, and from there to whom it is for.
func TestShip(t *testing.T) {
	address := servertest.StartVersity(t).Address()
	r := newBucketRig(t, address)
	pages := r.hold("arts", "warc.gz", 1, pageBatch(t, "http://a.test/1"))
	urls := r.hold("arts", "zst", 2, urlBatch(t, "http://a.test/2\n"))
	r.write("arts/outgoing/law/"+urls, urlBatch(t, "http://a.test/2\n"))

	res := r.mustShip("arts")
	res.Wants(t, "in 0", "count batches 3", "count to-world-batches 2", "count to-law-batches 1")
	if got, want := r.inBucket(address, "arts", "world"), slices.Sorted(slices.Values([]string{pages,
		urls})); !slices.Equal(got, want) {
		t.Errorf("for world there is %q, want %q", got, want)
	}
	if got := r.inBucket(address, "arts", "law"); !slices.Equal(got, []string{urls}) {
		t.Errorf("for law there is %q", got)
	}
	if left := r.held("arts"); len(left) > 0 {
		t.Errorf("%q is left here", left)
	}
	if res = r.mustShip("arts"); strings.Contains(res.Report, "count") {
		t.Errorf("with nothing here:\n%s", res.Report)
	}

	r.pull().brought([]string{"http://a.test/1"}, []string{"http://a.test/2"})
	r.pull().says("count removed 2")
	if left := r.inBucket(address, "arts", "world"); len(left) > 0 {
		t.Errorf("%q is left there", left)
	}
	if r.mustShip("law").Has("count batches 1") {
		t.Error("law shipped what was never law's")
	}
}

// A run that was killed between put and removal is gone over again: the batch takes effect once,
// whether or not it was pulled meanwhile.
func TestShipAgain(t *testing.T) {
	address := servertest.StartVersity(t).Address()
	r := newBucketRig(t, address)
	content := urlBatch(t, "http://a.test/1\n")
	again := func() { r.hold("arts", "zst", 1, content) } // as if it never had been removed

	again()
	r.mustShip("arts")
	again()
	if res := r.mustShip("arts"); !res.Has("count there 1") || len(r.held("arts")) > 0 {
		t.Errorf("%q is left here:\n%s", r.held("arts"), res.Report)
	}
	r.pull().brought(nil, []string{"http://a.test/1"})
	again()
	r.mustShip("arts")
	r.pull().brought(nil, nil)
	again() // pulled and removed there
	if res := r.mustShip("arts"); !res.Has("count batches 1") {
		t.Errorf("the report:\n%s", res.Report)
	}
	r.pull().brought(nil, nil)
	if left := r.inBucket(address, "arts", "world"); len(left) > 0 {
		t.Errorf("%q is left there", left)
	}
}

// Two runs at once, one of them by hand, ship all between them, and neither stumbles over what the
// other has removed.
func TestShipTwiceAtOnce(t *testing.T) {
	address := servertest.StartVersity(t).Address()
	r := newBucketRig(t, address)
	const count = 40
	for i := range count {
		r.hold("arts", "zst", i, urlBatch(t, fmt.Sprintf("http://a.test/%d\n", i)))
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if res := r.ship("arts"); res.Code != stage.ExitDone {
				t.Errorf("exit %d: %s", res.Code, res.Stderr)
			}
		})
	}
	both.Wait()
	if n := len(r.inBucket(address, "arts", "world")); n != count || len(r.held("arts")) > 0 {
		t.Errorf("%d batches are there, want %d; %q are left here", n, count, r.held("arts"))
	}
}

// What is no batch is not shipped, and stays.
func TestShipNoBatch(t *testing.T) {
	address := servertest.StartVersity(t).Address()
	r := newBucketRig(t, address)
	torn := r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
	r.write(outgoing("arts")+torn, []byte("half of it"))
	for _, name := range []string{".m-000000000001-00001.zst", "README", "m-000000000001-00001.zst"} {
		r.write(outgoing("arts")+name, []byte("x"))
	}
	r.write(outgoing("arts")+"folder/x", []byte("x"))
	r.write("arts/outgoing/nobody/"+torn, []byte("x"))
	whole := r.hold("arts", "zst", 2, urlBatch(t, "http://a.test/2\n"))
	res := r.mustShip("arts")
	res.Wants(t, "count batches 1", "count torn 1", "count foreign 3")
	if got := r.inBucket(address, "arts", "world"); !slices.Equal(got, []string{whole}) {
		t.Errorf("%q was shipped", got)
	}
	if left := r.held("arts"); len(left) != 5 {
		t.Errorf("%q is left here", left)
	}
}

// TestShipFreight holds that the agreement is found wherever it lies among more batches than a run
// deals with. The file system decides where: hence several names, before and behind the batches.
func TestShipFreight(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	r := newRig(t)
	folder := store.OpenFolder(r.path(outgoing("arts")))
	s := &shipper{}
	agreedIsSeen := func(i int) {
		here, freight, err := s.freight(t.Context(), folder)
		want := agreement(fmt.Sprintf("agreed-%012d-%016x", i, i))
		if err != nil || len(freight) > atMost || here.agreed != want {
			t.Fatalf("%d batches and the agreement %q, want %q: %v", len(freight), here.agreed, want, err)
		}
	}
	agree := func(i int) { r.write(outgoing("arts")+fmt.Sprintf("agreed-%012d-%016x", i, i), nil) }
	agree(1)
	for i := range 2 * atMost {
		r.write(outgoing("arts")+fmt.Sprintf("%016x-%012d-00001.zst", i, i), nil)
	}
	for i := 1; i < 6; i++ {
		agree(i)
		agreedIsSeen(i)
	}
}

// Where it cannot be put it stays, and the run says whether to wait or to act.
func TestShipTroubles(t *testing.T) {
	address := servertest.StartVersity(t).Address()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := l.Addr().String()
	l.Close()
	for _, c := range []struct {
		name, nodes string
		code        int
		said        string
	}{
		{"nobody answers", bucketNodes(dead), stage.ExitLater, "unreachable"},
		{"no such bucket", strings.Replace(bucketNodes(address), "s3://"+servertest.Bucket, "s3://absent", 1),
			stage.ExitFailed, "there is no bucket absent"},
		{"a folder", threeNodes(), stage.ExitFailed, "nothing needs to be shipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newBucketRig(t, address)
			r.write("nodes.toml", []byte(c.nodes))
			r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
			if res := r.ship("arts"); res.Code != c.code || !strings.Contains(res.Stderr, c.said) ||
				!strings.Contains(res.Stderr, "world: ") {
				t.Errorf("exit %d, want %d with %q: %s", res.Code, c.code, c.said, res.Stderr)
			}
			if len(r.held("arts")) != 1 {
				t.Error("it was removed here")
			}
		})
	}
}

func TestShipUsage(t *testing.T) {
	r := newRig(t)
	v := shipVerb()
	for _, args := range [][]string{
		{"-nodes", r.path("nodes.toml"), "-node", "arts"},
		{"-nodes", r.path("nodes.toml"), "-node", "arts", "-outgoing", "x", "file"},
		{"-node", "arts", "-outgoing", "x"},
	} {
		if res := stagetest.Run(t, v.Tool, v.Setup, "", args...); res.Code != stage.ExitUsage {
			t.Errorf("%q: exit %d: %s", args, res.Code, res.Stderr)
		}
	}
}

// One batch, or one node's place, that is refused does not hold up the others.
func TestShipRefusedPut(t *testing.T) {
	service, _ := url.Parse("http://" + servertest.StartVersity(t).Address())
	behind := httputil.NewSingleHostReverseProxy(service)
	bad := ""
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, bad):
			http.Error(w, "<Error><Code>BadDigest</Code></Error>", http.StatusBadRequest)
		case strings.Contains(r.URL.Path, "/to/law/"):
			http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
		default:
			behind.ServeHTTP(w, r)
		}
	}))
	defer front.Close()
	address := front.Listener.Addr().String()
	r := newBucketRig(t, address)
	good := r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
	bad = r.hold("arts", "zst", 2, urlBatch(t, "http://a.test/2\n"))
	r.write("arts/outgoing/law/"+good, urlBatch(t, "http://a.test/1\n"))
	res := r.mustShip("arts")
	res.Wants(t, "count batches 1", "count failed 1", "count nodes-refused 1")
	if got := r.inBucket(address, "arts", "world"); !slices.Equal(got, []string{good}) {
		t.Errorf("%q was shipped", got)
	}
	if left := r.held("arts"); !slices.Equal(left, []string{bad}) {
		t.Errorf("%q is left here", left)
	}
	if _, err := os.Stat(r.path("arts/outgoing/law/" + good)); err != nil {
		t.Error(err)
	}
}

// A crawler asks for nothing but what the policy in the documentation allows.
func TestPolicy(t *testing.T) {
	service, _ := url.Parse("http://" + servertest.StartVersity(t).Address())
	behind := httputil.NewSingleHostReverseProxy(service)
	var mu sync.Mutex
	asked := map[string]int{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, _ := strings.CutPrefix(r.URL.Path, "/"+servertest.Bucket+"/")
		what := r.Method
		if r.URL.Query().Has("list-type") {
			key, what = r.URL.Query().Get("prefix"), "LIST"
		}
		mu.Lock()
		for action, of := range map[string]string{"PUT": `^c4/to/[a-z]+/from/world/`, "GET": `^c4/to/world/`,
			"DELETE": `^c4/to/world/`, "LIST": `^c4/to/world/`} {
			if action == what && regexp.MustCompile(of).MatchString(key) {
				what = "allowed " + what
			}
		}
		asked[what]++
		mu.Unlock()
		behind.ServeHTTP(w, r)
	}))
	defer front.Close()
	r := newBucketRig(t, service.Host)
	r.hold("arts", "zst", 1, urlBatch(t, "http://a.test/1\n"))
	r.mustShip("arts")
	r.write("nodes.toml", []byte(bucketNodes(front.Listener.Addr().String())))
	content := urlBatch(t, "http://w.test/1\n")
	r.write(fmt.Sprintf("world/outgoing/arts/%016x-000000000001-00001.zst", xxhash.Sum64(content)), content)
	r.mustShip("world")
	r.pull().brought(nil, []string{"http://a.test/1"})
	r.pull().says("count removed 1")
	if want := map[string]int{"allowed PUT": 1, "allowed LIST": 4, "allowed GET": 1,
		"allowed DELETE": 1}; !maps.Equal(asked, want) {
		t.Errorf("asked for %v, want %v", asked, want)
	}
}
