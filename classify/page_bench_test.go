package classify

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"multitext/classify/language"
	"multitext/classify/terms"
)

// A benchSet is pages of about 10 KB to classify, and a model of 16 labels.
type benchSet struct {
	name  string
	pages [][]byte
	model *Model
}

// BenchmarkClassifyPage goes the whole way of a page, from HTML to language and topic, step by step: each
// step does what those before do, too. us/page is time of the processor, which other work on the machine changes
// less than the clock.
func BenchmarkClassifyPage(b *testing.B) {
	identifier, err := language.NewTwoStep(true)
	if err != nil {
		b.Fatal(err)
	}
	for _, set := range []benchSet{realSet(b), writtenSet(b, "english", englishWords(b)), writtenSet(b, "foreign", foreignWords(b))} {
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
				bytes, i, start := 0, 0, cpuTime()
				for b.Loop() {
					html := set.pages[i%len(set.pages)]
					step.do(html)
					bytes += len(html)
					i++
				}
				spent := cpuTime() - start
				b.SetBytes(int64(bytes / b.N))
				b.ReportMetric(float64(spent.Nanoseconds())/1000/float64(b.N), "us/page")
				b.ReportMetric(float64(b.N)/spent.Seconds(), "pages/cpu-s")
				if page.Len() > 0 {
					b.ReportMetric(float64(page.Total()), "terms")
				}
			})
		}
	}
}

// realSet is the pages of 9 to 11 KB of real sites, where there are any. The model's labels are the 16 hosts with the most of
// these, trained on all their pages of up to 100 KB.
func realSet(b *testing.B) benchSet {
	set := benchSet{name: "real"}
	hosts := map[string][][]byte{}
	f, err := os.Open(labelledData + "web.tar.zst")
	if errors.Is(err, fs.ErrNotExist) {
		return set
	}
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") || h.Size > 100_000 {
			continue
		}
		page, err := io.ReadAll(files)
		if err != nil {
			b.Fatal(err)
		}
		host, _, _ := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		hosts[host] = append(hosts[host], page)
		if 9_000 <= len(page) && len(page) <= 11_000 {
			set.pages = append(set.pages, page)
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(set.pages), func(i, j int) { set.pages[i], set.pages[j] = set.pages[j], set.pages[i] })
	set.model = modelOf(b, hosts)
	return set
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

// writtenSet is pages of these words, each oftener than the next: 10 KB with a tag for each line, so more text than
// most pages have. Topics differ in what words are frequent.
func writtenSet(b *testing.B, name string, words []string) benchSet {
	kinds := map[string][][]byte{}
	set := benchSet{name: name}
	random := rand.New(rand.NewPCG(3, 4))
	for topic := range 16 {
		label := fmt.Sprint("topic", topic)
		for range 100 {
			kinds[label] = append(kinds[label], write(random, words, topic))
		}
		set.pages = append(set.pages, kinds[label][:20]...)
	}
	random.Shuffle(len(set.pages), func(i, j int) { set.pages[i], set.pages[j] = set.pages[j], set.pages[i] })
	set.model = modelOf(b, kinds)
	return set
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

// foreignWords is made of syllables of Finnish: no word list knows them, and the n-grams must.
func foreignWords(*testing.B) (words []string) {
	syllables := strings.Fields("ta ki ssä mie nen sta aan tuk uk si ää lla vai kan oike el mää tö ih is een jo ka")
	random := rand.New(rand.NewPCG(7, 8))
	for range 40_000 {
		word := ""
		for range 1 + random.IntN(3) {
			word += syllables[random.IntN(len(syllables))]
		}
		words = append(words, word)
	}
	return words
}
