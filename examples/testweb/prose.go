package main

import "strings"

// prose is text made once, of which every page takes its paragraphs.
type prose struct {
	utf8, latin1 []string // the same paragraphs in both charsets
}

const paragraphs = 128

func newProse(seed uint64) prose {
	d := shape{seed: seed}.dice(-1, 0)
	words := strings.Fields(vocabulary)
	var p prose
	for range paragraphs {
		text := paragraph(d, words)
		p.utf8 = append(p.utf8, text)
		p.latin1 = append(p.latin1, toLatin1(text))
	}
	return p
}

// paragraph is some 450 bytes of sentences.
func paragraph(d *dice, words []string) string {
	var b strings.Builder
	for b.Len() < 420 {
		n := 5 + d.roll(12)
		for i := range n {
			w := words[d.roll(len(words))]
			if i == 0 && w[0] >= 'a' && w[0] <= 'z' {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			b.WriteString(w)
			if i < n-1 {
				b.WriteByte(' ')
			}
		}
		b.WriteString(". ")
	}
	return b.String()
}

// toLatin1 turns UTF-8 into ISO-8859-1, which the vocabulary stays within.
func toLatin1(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// vocabulary is what the prose is made of: common words, some with
// letters outside ASCII, some with entities.
const vocabulary = `
the of and to a in is it was for on with as by at from that this which be are or not but they have had were one all
there when up out if about who get make can like time just him know take people into year your good some could them see
other than then now look only come its over think also back after use two how our work first well way even new want
because any these give day most us water river stone harbour morning letter garden winter station engine paper village
mountain bridge market captain window kitchen doctor teacher painter orchard lantern meadow cottage railway theatre
museum library castle island forest valley desert ocean weather thunder silence promise journey history science music
language number question answer reason matter nature moment chapter picture century country kingdom council
café naïve Zürich façade über señor crème garçon Málaga tête
R&amp;D &lt;none&gt; 5&nbsp;km &#8212; &eacute;tude &hellip; &quot;so&quot; &copy;
slowly quickly always never seldom often almost nearly quite rather very much little small large old young early late
high low long short deep wide narrow heavy light dark bright quiet loud warm cold dry wet empty full open closed
`
