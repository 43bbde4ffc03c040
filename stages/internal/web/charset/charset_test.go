package charset

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// TestSniffing holds the choice of a charset to that of browsers: HTML, section 13.2.3.2, and its
// prescan of the first 1,024 bytes; Encoding, section 6.1 (the byte order mark goes before all).
func TestSniffing(t *testing.T) {
	const (
		letter = "\xd0\x96" // which is
		utf8   = "Ж"
		w1251  = "Р–"
		w1252  = "Ð–"
	)
	far := strings.Repeat(" ", 1024)
	for _, c := range []struct{ name, contentType, body, want string }{
		// The byte order mark.
		{"UTF-8 mark over all", "text/html; charset=windows-1251", "\xef\xbb\xbf<meta charset=windows-1251>LETTER",
			utf8},
		{"UTF-16 mark over HTTP", "text/html; charset=utf-8", "UTF16LE", utf8},
		{"UTF-16, big end first", "text/html", "UTF16BE", utf8},
		{"half a mark", "text/html; charset=windows-1251", "\xef\xbbLETTER", w1251},

		// HTTP.
		{"HTTP", "text/html; charset=windows-1251", "LETTER", w1251},
		{"HTTP over META", "text/html; charset=windows-1251", "<meta charset=utf-8>LETTER", w1251},
		{"HTTP, quoted, upper case, blanks", `text/html ;  Charset="WINDOWS-1251" `, "LETTER", w1251},
		{"HTTP, in single quotes", `text/html; charset='windows-1251'`, "LETTER",
			utf8}, // a charset of that name is none
		{"HTTP, another name of it", "text/html; charset=cp1251", "LETTER", w1251},
		{"HTTP, behind another parameter", "text/html; version=1; charset=windows-1251", "LETTER", w1251},
		{"HTTP, behind broken ones", "text/html; =x; y; ; charset=windows-1251", "LETTER", w1251},
		{"HTTP, semicolon at the end", "text/html; charset=windows-1251;", "LETTER", w1251},
		{"HTTP, the first of two", "text/html; charset=windows-1251; charset=utf-8", "LETTER", w1251},
		{"HTTP, unknown, then META", "text/html; charset=klingon", "<meta charset=windows-1251>LETTER", w1251},
		{"HTTP, empty, then META", "text/html; charset=", "<meta charset=windows-1251>LETTER", w1251},

		// META.
		{"META charset", "text/html", "<meta charset=windows-1251>LETTER", w1251},
		{"META charset, quoted, blanks", "text/html", `<META  CharSet = " windows-1251 " />LETTER`, w1251},
		{"META content", "text/html", `<meta http-equiv=Content-Type content="text/html; charset=windows-1251">LETTER`,
			w1251},
		{"META content before http-equiv", "text/html",
			`<meta content="text/html;charset='windows-1251'" http-equiv="content-type">LETTER`, w1251},
		{"META content without http-equiv", "text/html", `<meta content="text/html; charset=windows-1251">LETTER`,
			utf8},
		{"META content of another http-equiv", "text/html",
			`<meta http-equiv=x content="charset=windows-1251">LETTER`, utf8},
		{"META content, charset twice", "text/html",
			`<meta http-equiv=content-type content="charset charset = windows-1251">LETTER`, w1251},
		{"META, charset over content", "text/html",
			`<meta charset=windows-1251 http-equiv=content-type content="charset=utf-8">LETTER`, w1251},
		{"META, the first of two", "text/html", "<meta charset=windows-1251><meta charset=utf-8>LETTER", w1251},
		{"META, unknown, then known", "text/html", "<meta charset=klingon><meta charset=windows-1251>LETTER", w1251},
		{"META of UTF-16 is UTF-8", "text/html", "<meta charset=utf-16>LETTER", utf8},
		{"META of UTF-16BE is UTF-8", "text/html", "<meta charset=utf-16be>LETTER\xff", utf8},
		{"META of x-user-defined is windows-1252", "text/html", "<meta charset=x-user-defined>LETTER", w1252},
		{"META in a comment", "text/html", "<!-- <meta charset=windows-1251> -->LETTER", utf8},
		{"META behind a comment", "text/html", "<!--><meta charset=windows-1251>LETTER", w1251},
		{"META behind other tags", "text/html",
			"<!doctype html><html lang=ru><head/><title>x</title><meta charset=windows-1251>LETTER", w1251},
		{"META in an attribute", "text/html", `<p title="<meta charset=windows-1251>">LETTER`, utf8},
		{"META in a script", "text/html", "<script><meta charset=windows-1251></script>LETTER",
			w1251}, // the prescan does not know scripts
		{"META in a processing instruction", "text/html", "<?x <meta charset=windows-1251>LETTER", utf8},
		{"no META but METAL", "text/html", "<metal charset=windows-1251>LETTER", utf8},
		{"META with a slash", "text/html", "<meta/charset=windows-1251>LETTER", w1251},
		{"META within 1,024 bytes", "text/html", far[:990] + "<meta charset=windows-1251>LETTER", w1251},
		{"META that 1,024 bytes cut", "text/html", far[:1010] + "<meta charset=windows-1251>LETTER", w1251},
		{"META whose end 1,024 bytes cut", "text/html", far[:1024-len("<meta charset=windows-1251 ")] +
			"<meta charset=windows-1251 >LETTER", w1251},
		{"META that ends with them", "text/html", far[:1024-len("<meta charset=windows-1251>")] +
			"<meta charset=windows-1251>LETTER", w1251},

		// META beyond the first 1,024 bytes, in what is still the head.
		{"late META", "text/html", far + "<meta charset=windows-1251>LETTER", w1251},
		{"late META, by content", "text/html", far +
			`<meta http-equiv=Content-Type content="text/html; charset=windows-1251">LETTER`, w1251},
		{"late META behind the elements of a head", "text/html",
			"<html><head><title>x</title><base><link><style>a{}</style><script>x</script>" +
				"<noscript></noscript><object></object>" + far + "<meta charset=windows-1251>LETTER", w1251},
		{"late META behind a long script", "text/html", "<script>if (a<body) {" + far +
			"}</SCRIPT ><meta charset=windows-1251>LETTER", w1251},
		{"late META behind a long comment", "text/html", "<!-- <body>" + far + "--><meta charset=windows-1251>LETTER",
			w1251},
		{"late META, the first of two", "text/html", far + "<meta charset=windows-1251><meta charset=utf-8>LETTER",
			w1251},
		{"late META below an early one", "text/html", "<meta charset=utf-8>" + far +
			"<meta charset=windows-1251>LETTER", utf8},
		{"late META below HTTP", "text/html; charset=utf-8", far + "<meta charset=windows-1251>LETTER", utf8},
		{"late META below the XML declaration", "text/html", `<?xml version="1.0" encoding="utf-8"?>` + far +
			"<meta charset=windows-1251>LETTER", utf8},
		{"late META in a script", "text/html", far + "<script>'<meta charset=windows-1251>'</script>LETTER", utf8},
		{"late META in a title", "text/html", far + "<title><meta charset=windows-1251></title>LETTER", utf8},
		{"late META in a script without end", "text/html", far + "<script><meta charset=windows-1251>LETTER", utf8},
		{"late META in an attribute", "text/html", far + `<link title="<meta charset=windows-1251>">LETTER`, utf8},
		{"late META in the body", "text/html", "<body>" + far + "<meta charset=windows-1251>LETTER", utf8},
		{"late META behind an end of the head", "text/html", "</head>" + far + "<meta charset=windows-1251>LETTER",
			utf8},
		{"late META behind a tag of the body", "text/html", far + "<p><meta charset=windows-1251>LETTER", utf8},

		{"attribute twice", "text/html", "<meta charset=windows-1251 charset=utf-8>LETTER", w1251},

		// Neither: the bytes themselves.
		{"UTF-8 all through", "text/html", "LETTER", utf8},
		{"UTF-8 but for one byte", "text/html", "\xffLETTER", w1252},
		{"UTF-8 that was cut within a letter", "text/html", "LETTER\xe2\x82", utf8},
		{"UTF-8 that begins far down", "text/html", far + "LETTER", utf8},

		// XML declaration.
		{"XML declaration", "text/html", `<?xml version="1.0" encoding="windows-1251"?>LETTER`, w1251},
		{"XML declaration below META", "text/html",
			`<?xml version="1.0" encoding="utf-8"?><meta charset=windows-1251>LETTER`, w1251},
		{"XML declaration that does not begin the page", "text/html",
			` <?xml version="1.0" encoding="windows-1251"?>LETTER`, utf8},
		{"XML declaration beyond 1,024 bytes", "text/html", `<?xml version="1.0" ` + far +
			` encoding="windows-1251"?>LETTER`, utf8},
		{"XML declaration in UTF-16", "text/html", "XML16LE", utf8},
		{"XML declaration in UTF-16, big end first", "text/html", "XML16BE", utf8},
		{"XML declaration without quotes", "text/html", `<?xml encoding=windows-1251?>LETTER`, utf8},
	} {
		body := strings.ReplaceAll(c.body, "LETTER", "("+letter+")")
		wide := "(\x04\x16)"
		switch c.body {
		case "UTF16LE":
			body = "\xff\xfe" + swap(widen(wide))
		case "UTF16BE":
			body = "\xfe\xff" + widen(wide)
		case "XML16LE":
			body = swap(widen("<?xml version='1.0'?>" + wide))
		case "XML16BE":
			body = widen("<?xml version='1.0'?>" + wide)
		}
		if text, _, name := UTF8([]byte(body), c.contentType); !strings.Contains(string(text), "("+c.want+")") {
			t.Errorf("%s: taken for %s, which gives %.80q, want (%s) in it", c.name, name, text, c.want)
		}
	}
}

// widen writes ASCII as UTF-16, big end first; \x04\x16 stands for Ж.
func widen(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\x04' && (i == 0 || s[i-1] != '\x04') {
			b.WriteByte(0)
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// swap changes the order of the bytes of each pair.
func swap(s string) string {
	b := []byte(s)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// TestDecodingTakesNoMore holds that a page is decoded into memory that is taken at once, and that a
// page of ASCII takes none.
func TestDecodingTakesNoMore(t *testing.T) {
	const letters = 1 << 20
	for _, c := range []struct {
		charset, letter string
		text            string
		most            int // times the page
	}{
		{"windows-1252", "\x80", "€", 3},
		{"windows-1251", "\xc6", "Ж", 3},
		{"gb18030", "\x81\x40", "丂", 2},
		{"iso-2022-jp", "a", "a", 3},
		{"utf-16le", "a\x00", "a", 2},
		{"windows-1252", "a", "a", 0},
		{"shift_jis", "a", "a", 0},
		{"x-user-defined", "a", "a", 0},
	} {
		page := []byte(strings.Repeat(c.letter, letters))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		text, _, name := UTF8(page, "text/html; charset="+c.charset)
		runtime.ReadMemStats(&after)
		took := after.TotalAlloc - before.TotalAlloc
		if most := uint64(c.most*len(page) + 64<<10); took > most {
			t.Errorf("%d bytes of %s: %d bytes of memory, want at most %d", len(page), name, took, most)
		}
		if want := strings.Repeat(c.text, letters); name != c.charset || string(text) != want {
			t.Errorf("%s: %d bytes of %s, want %d", c.charset, len(text), name, len(want))
		}
	}
}

// FuzzPrescan feeds any bytes as the beginning of a page, and any Content-Type.
func FuzzPrescan(f *testing.F) {
	f.Add([]byte("<!--><meta charset=utf-8>"), "text/html; charset=\"x")
	f.Add([]byte("<meta content='charset=x' http-equiv=content-type =><a b='<?xml"), ";;charset==")
	f.Add([]byte("<?xml encoding='utf-16be'?><meta"), "")
	f.Add([]byte("eight or more letters, \x80\xe9\xff, and then some more\x9d"), "text/html; charset=windows-1252")
	f.Add([]byte("ASCII as iso-2022-jp has it: \x1b$B$\"\x1b(J~\x1b(I12"), "text/html; charset=iso-2022-jp")
	f.Add([]byte("a"), "text/html; charset=iso-2022-kr") // which is replaced
	f.Add([]byte("two letters in one: \x88\x62\x88\x62"), "text/html; charset=big5")
	f.Add([]byte("odd"), "text/html; charset=utf-16be")
	f.Add([]byte("\x90\x30\x81\x30\x81\x30\xff"), "text/html; charset=gb18030")
	f.Add([]byte("\xb1\xb2\x81 \x80"), "text/html; charset=shift_jis")
	f.Add([]byte("\x8e\xb1\x8f\xa2\xaf"), "text/html; charset=euc-jp")
	f.Add([]byte("\xa5 letters that not all bytes have\xff"), "text/html; charset=windows-1253")
	f.Fuzz(func(t *testing.T, page []byte, contentType string) {
		e, name := sniff(page, contentType)
		if e == nil || name == "" {
			t.Errorf("no charset for %q, %q", contentType, page)
		}
		text, _, _ := UTF8(page, contentType)
		if len(text) > 3*len(page)+3 {
			t.Errorf("%d bytes of %s became %d", len(page), name, len(text))
		}
		if want, err := e.NewDecoder().Bytes(page); name != "utf-8" && err == nil && !bytes.Equal(text, want) {
			t.Errorf("%q in %s became %q, want %q", page, name, text, want)
		}
	})
}
