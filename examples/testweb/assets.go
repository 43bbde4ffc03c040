package main

// asset is an answer that is no HTML, the same on every host.
type asset struct {
	path, contentType, body string
}

const (
	assetCSS = iota
	assetGIF // the first of three
	_
	_
	assetPDF
	assetText
)

// assets lists them; the markup in the last two is no link for a crawler
// that goes by content types.
func assets() []asset {
	return []asset{
		assetCSS:     {"/style.css", "text/css", "body { font: 16px serif; margin: 2em }\n"},
		assetGIF:     {"/img/0.gif", "image/gif", gif("\xff\x00\x00")},
		assetGIF + 1: {"/img/1.gif", "image/gif", gif("\x00\xff\x00")},
		assetGIF + 2: {"/img/2.gif", "image/gif", gif("\x00\x00\xff")},
		assetPDF:     {"/doc/paper.pdf", "application/pdf", "%PDF-1.4\n<a href=\"/stray/pdf.html\">\n%%EOF\n"},
		assetText:    {"/notes.txt", "text/plain; charset=utf-8", "Notes <a href=\"/stray/text.html\">here</a>\n"},
	}
}

// gif is a picture of one pixel.
func gif(color string) string {
	return "GIF89a\x01\x00\x01\x00\x80\x00\x00" + color + "\xff\xff\xff" +
		"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b"
}
