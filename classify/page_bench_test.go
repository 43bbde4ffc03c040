package classify

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/classify/testkit"
)

// A benchSet is pages of about 10 KB to classify, and a model of 16 labels.
type benchSet struct {
	name  string
	pages [][]byte
	model *Model
}

// BenchmarkClassifyPage goes the whole way of a page, from HTML to language and topic, step by
// step: each step does what those before do, too. us/page is the time of a page by the processor's
// account; undisturbed-us/page takes for each page the least of the times that it took, which other
// work on the machine hardly changes.
func BenchmarkClassifyPage(b *testing.B) {
	identifier, err := language.NewTwoStep(true)
	if err != nil {
		b.Fatal(err)
	}
	for _, set := range []benchSet{realSet(b), foreignSet(b), writtenSet(b)} {
		var (
			s       terms.Splitter
			page    Document
			ranking Ranking
		)
		split := func(html []byte) {
			for range s.HTML(html) {
			}
		}
		read := func(html []byte) { page.Read(s.HTML(html)) }
		known := func(html []byte) { read(html); identifier.Identify(&page) }
		whole := func(html []byte) { known(html); set.model.Classify(&page, &ranking) }
		for _, step := range []struct {
			name string
			do   func([]byte)
		}{{"split", split}, {"document", read}, {"language", known}, {"whole", whole}} {
			b.Run(set.name+"/"+step.name, func(b *testing.B) {
				if len(set.pages) == 0 {
					b.Skip("no pages of real sites")
				}
				least := make([]time.Duration, len(set.pages))
				bytes, i, start := 0, 0, cpuTime()
				for b.Loop() {
					at := i % len(set.pages)
					begun := time.Now()
					step.do(set.pages[at])
					if took := time.Since(begun); i == at || took < least[at] {
						least[at] = took
					}
					bytes += len(set.pages[at])
					i++
				}
				spent, undisturbed := cpuTime()-start, time.Duration(0)
				for _, d := range least {
					undisturbed += d
				}
				b.SetBytes(int64(bytes / b.N))
				b.ReportMetric(float64(spent.Nanoseconds())/1000/float64(b.N), "us/page")
				b.ReportMetric(float64(undisturbed.Nanoseconds())/1000/float64(min(i, len(least))),
					"undisturbed-us/page")
			})
		}
	}
}

// realSet is the pages of 9 to 11 KB of real sites, where there are any. The model's labels are the
// 16 hosts with the most pages.
func realSet(b *testing.B) benchSet {
	set, hosts := benchSet{name: "real"}, realHosts(b)
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		for _, page := range hosts[host] {
			if 9_000 <= len(page) && len(page) <= 11_000 {
				set.pages = append(set.pages, page)
			}
		}
	}
	return set.ready(b, hosts)
}

// foreignSet is the first 10 KB of pages of sites in French, Korean and Chinese.
func foreignSet(b *testing.B) benchSet {
	set, hosts := benchSet{name: "foreign"}, realHosts(b)
	for _, host := range []string{"fr.vuejs.org", "docs.zestedesavoir.com", "kr.vuejs.org", "webpack.js.org"} {
		for _, page := range hosts[host] {
			if len(page) >= 10_000 {
				set.pages = append(set.pages, page[:10_000])
			}
		}
	}
	return set.ready(b, hosts)
}

// ready mixes the pages and trains the model.
func (set benchSet) ready(b *testing.B, kinds map[string][][]byte) benchSet {
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(set.pages),
		func(i, j int) { set.pages[i], set.pages[j] = set.pages[j], set.pages[i] })
	if len(kinds) > 0 {
		set.model = modelOf(b, kinds)
	}
	return set
}

// realHosts is the pages of real sites of up to 100 KB, by host; none where there are no sites.
func realHosts(b *testing.B) map[string][][]byte {
	hosts := map[string][][]byte{}
	testkit.Pages(b, 1, func(name string, page []byte) bool {
		if len(page) <= 100_000 {
			host, _, _ := strings.Cut(name, "/")
			hosts[host] = append(hosts[host], page)
		}
		return true
	})
	return hosts
}

// modelOf trains on up to 200 pages of each of the 16 largest kinds.
func modelOf(b *testing.B, kinds map[string][][]byte) *Model {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(len(kinds[y])-len(kinds[x]), cmp.Compare(x, y)) })
	var (
		tr   Training
		s    terms.Splitter
		page Document
	)
	for _, name := range names[:min(16, len(names))] {
		for _, html := range kinds[name][:min(200, len(kinds[name]))] {
			page.Read(s.HTML(html))
			if err := tr.Add(name, &page); err != nil {
				b.Fatal(err)
			}
		}
	}
	m, err := Train(&tr, Options{Terms: 50_000})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// writtenSet is pages of English words, each oftener than the next: 10 KB with a tag for each line,
// so three times the text that most pages have. Topics differ in what words are frequent.
func writtenSet(b *testing.B) benchSet {
	kinds, words := map[string][][]byte{}, englishWords(b)
	set := benchSet{name: "written"}
	random := rand.New(rand.NewPCG(3, 4))
	for topic := range 16 {
		label := fmt.Sprint("topic", topic)
		for range 100 {
			kinds[label] = append(kinds[label], write(random, words, topic))
		}
		set.pages = append(set.pages, kinds[label][:20]...)
	}
	return set.ready(b, kinds)
}

func write(random *rand.Rand, words []string, topic int) []byte {
	zipf := rand.NewZipf(random, 1.2, 8, uint64(len(words)-1))
	var p bytes.Buffer
	p.WriteString("<!DOCTYPE html><html><head><title>A page</title><script>var x = '<b>' + 1;</script></head><body>\n")
	for p.Len() < 10_000 {
		fmt.Fprintf(&p, `<div class="line"><a href="/a/path/%d.html" title="a link">`, random.IntN(1000))
		for i := range 14 {
			word := words[zipf.Uint64()]
			if random.IntN(4) == 0 {
				word = words[(int(zipf.Uint64())+100*(topic+1))%len(words)]
			}
			p.WriteString(word + " ")
			if i == 2 {
				p.WriteString("</a>")
			}
		}
		p.WriteString("&amp; so on.</div>\n")
	}
	return p.Bytes()
}

// englishWords is those that the word list knows, in any order.
func englishWords(b *testing.B) (words []string) {
	f, err := os.Open("language/english.txt.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		words = append(words, lines.Text())
	}
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return words
}
