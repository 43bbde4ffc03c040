package waiting

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
)

// A benchWeb makes pages and links as extract writes them. 41 real sites have 120 bytes a record,
// of which the path is 35, and half of the links are to the folder of their page; so are these.
type benchWeb struct {
	rnd   *rand.Rand
	hosts int
	zipf  *rand.Zipf
}

func newBenchWeb(hosts int) *benchWeb {
	rnd := rand.New(rand.NewPCG(1, uint64(hosts)))
	return &benchWeb{rnd, hosts, rand.NewZipf(rnd, 1.05, 20, uint64(hosts-1))}
}

// host draws a host: half of the links go to hosts by a law of Zipf, the others to any.
func (w *benchWeb) host() uint64 {
	if w.rnd.IntN(2) == 0 {
		return w.zipf.Uint64()
	}
	return w.rnd.Uint64N(uint64(w.hosts))
}

// links writes n links of a page, of which four in five are to its own host.
func (w *benchWeb) links(to *urlbatch.Writer, page string, depth int64, n int) {
	own := strings.Split(page, "/")[2]
	i, _ := strconv.ParseUint(strings.Trim(own, "abcdefghijklmnopqrstuvwxyz."), 10, 64)
	for range n {
		url := page[:strings.LastIndexByte(page, '/')] + w.name()
		switch w.rnd.IntN(10) {
		case 0, 1:
			url = w.url(w.host())
		case 2, 3, 4, 5:
			url = w.url(i)
		}
		rec := urlbatch.New(url)
		rec.SetInt(urlbatch.Depth, depth)
		rec.Set(urlbatch.Via, page)
		to.Write(rec)
	}
}

var benchWords = strings.Fields(`about archive articles blog category contact download events forum gallery help
history images index library map news notes page people photos press products research review search service shop
story support tags team topics travel video weather wiki api reference class package guide manual changes release
struts java org apache documentation javadoc build project user developer function table model value text string
number plot data frame theme color scale group select filter join summary read write time date year month week`)

func word(x uint64) string { return benchWords[x%uint64(len(benchWords))] }

// url makes a URL of a host. A host has some folders of its own.
func (w *benchWeb) url(host uint64) string {
	mixed := host * 0x9e3779b97f4a7c15
	b := fmt.Appendf(nil, "http://www.%s%s%d.com", word(mixed>>20), word(mixed>>30), host)
	for folder := range w.rnd.Uint64N(4) {
		b = append(append(b, '/'), word(mixed>>(8*folder)+w.rnd.Uint64N(3))...)
	}
	return string(b) + w.name()
}

// name makes the last part of a path.
func (w *benchWeb) name() string {
	b := []byte{'/'}
	for range 1 + w.rnd.IntN(3) {
		b = append(append(b, word(w.rnd.Uint64())...), '-')
	}
	return string(append(strconv.AppendUint(b, w.rnd.Uint64N(1000), 10), ".html"...))
}
