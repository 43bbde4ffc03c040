package canon

import "testing"

// BenchmarkResolve takes references as pages have them; those under slow need the parser.
func BenchmarkResolve(b *testing.B) {
	base, err := NewBase("https://www.example.org/docs/guide/index.html")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, ref string }{
		{"absolute", "https://www.example.org/2026/11/the-title-of-a-page-of-60-b/"},
		{"rooted", "/docs/reference/interfaces/urls/canonical-form-of-links.html"},
		{"parent", "../../reference/api/canonical-form-of-links.html#the-section"},
		{"query", "/search?query=the+words+that+somebody+looks+for&page=2&sort=1"},
		{"escapes", "/wiki/K%C3%B6ln_(Stadt)_und_Umgebung_vor_langer_Zeit.html"},
		{"slow/host", "https://b\u00fccher.example.org/2026/11/the-title-of-a-page-of-60/"},
		{"slow/backslash", `/docs\reference/interfaces/urls/canonical-form-of-links.html`},
	} {
		b.Run(c.name, func(b *testing.B) {
			url, ref := []byte(nil), []byte(c.ref)
			b.SetBytes(int64(len(ref)))
			b.ReportAllocs()
			for b.Loop() {
				if url, err = base.Append(url[:0], ref); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParts cuts a URL as the stages do.
func BenchmarkParts(b *testing.B) {
	url := []byte("https://www.example.co.uk/2026/11/the-title-of-a-page/")
	var surt []byte
	for name, cut := range map[string]func(){
		"host": func() { Host(url) },
		"surt": func() { surt = AppendSURT(surt[:0], url) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				cut()
			}
		})
	}
}
