package language

import (
	"math"
	"strings"
	"testing"
)

func languages(t testing.TB) *NGrams {
	t.Helper()
	n, err := Languages()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLanguages asks for the language of everyday sentences, which are not of the text that made
// the profiles.
func TestLanguages(t *testing.T) {
	n := languages(t)
	for want, text := range map[string]string{
		"en": "The weather was cold this morning, but we went for a walk along the river and then had breakfast with our friends.",
		"de": "Heute Morgen war das Wetter kalt, aber wir sind am Fluss spazieren gegangen und haben danach mit Freunden gefrühstückt.",
		"fr": "Ce matin il faisait froid, mais nous nous sommes promenés le long de la rivière et nous avons déjeuné avec nos amis.",
		"es": "Esta mañana hacía frío, pero dimos un paseo por la orilla del río y después desayunamos con nuestros amigos.",
		"it": "Questa mattina faceva freddo, ma abbiamo fatto una passeggiata lungo il fiume e poi colazione con i nostri amici.",
		"pt": "Esta manhã estava frio, mas fizemos um passeio ao longo do rio e depois tomamos o café da manhã com os nossos amigos.",
		"nl": "Vanmorgen was het koud, maar we hebben langs de rivier gewandeld en daarna met onze vrienden ontbeten.",
		"sv": "I morse var det kallt, men vi gick en promenad längs floden och åt sedan frukost tillsammans med våra vänner.",
		"pl": "Dziś rano było zimno, ale poszliśmy na spacer wzdłuż rzeki, a potem zjedliśmy śniadanie z naszymi przyjaciółmi.",
		"cs": "Dnes ráno byla zima, ale šli jsme na procházku podél řeky a potom jsme snídali s našimi přáteli.",
		"fi": "Tänä aamuna oli kylmä, mutta kävelimme joen rannalla ja söimme sitten aamiaista ystäviemme kanssa.",
		"hu": "Ma reggel hideg volt, de sétáltunk egyet a folyó mentén, és utána a barátainkkal reggeliztünk.",
		"tr": "Bu sabah hava soğuktu ama nehir boyunca yürüyüşe çıktık ve sonra arkadaşlarımızla kahvaltı yaptık.",
		"vi": "Sáng nay trời lạnh nhưng chúng tôi đã đi dạo dọc bờ sông rồi ăn sáng với bạn bè của chúng tôi.",
		"ru": "Сегодня утром было холодно, но мы погуляли вдоль реки, а потом позавтракали с нашими друзьями.",
		"uk": "Сьогодні вранці було холодно, але ми погуляли вздовж річки, а потім поснідали з нашими друзями.",
		"el": "Σήμερα το πρωί έκανε κρύο, αλλά πήγαμε βόλτα δίπλα στο ποτάμι.",
		"ar": "كان الجو باردا هذا الصباح لكننا مشينا على طول النهر ثم تناولنا الفطور مع أصدقائنا",
		"fa": "امروز صبح هوا سرد بود اما ما در کنار رودخانه قدم زدیم و سپس با دوستانمان صبحانه خوردیم",
		"he": "הבוקר היה קר, אבל הלכנו לטייל לאורך הנהר ואחר כך אכלנו ארוחת בוקר עם חברינו",
		"hi": "आज सुबह ठंड थी लेकिन हम नदी के किनारे टहलने गए और फिर अपने दोस्तों के साथ नाश्ता किया",
		"th": "เช้านี้อากาศหนาวแต่เราเดินเล่นริมแม่น้ำแล้วกินอาหารเช้ากับเพื่อน",
		"ko": "오늘 아침은 추웠지만 우리는 강을 따라 산책하고 친구들과 아침을 먹었습니다.",
		"ja": "今朝は寒かったですが、私たちは川沿いを散歩して、それから友達と朝ごはんを食べました。",
		"zh": "今天早上很冷，但是我们沿着河边散步，然后和朋友们一起吃了早饭。",
		"":   "12345 ... ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
	} {
		if got := n.Identify(html([]byte(text))); got.Language != want {
			t.Errorf("%q is held for %v, want %q", text, got, want)
		}
	}
}

// TestDistance reckons the distance by hand. On the page "ab ab" the ranks are those of the profile
// of xx, two n-grams of which are in that of yy, at other places; zz has none, and ww is of another
// script.
func TestDistance(t *testing.T) {
	n, err := ReadNGrams(strings.NewReader("profiles 1\nxx _a a _ab ab b ab_ b_\nyy b x y a\nzz q r\nww ж _ж\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Identify(said("ab ab")); got != (Guess{"xx", 1}) {
		t.Errorf("the page of the profile is %v, want xx at no distance", got)
	}
	// b alone: its n-grams are "b" and "b_", at 0 and 1 on the page and at 4 and 6 in xx; yy has
	// "b" at 0 and not "b_".
	if got, want := n.Identify(said("b")), 1-(4+5)/600.; got.Language != "xx" || math.Abs(got.Score-want) > 1e-12 {
		t.Errorf("b is %v, want xx at %v", got, want)
	}
	if got, want := n.Identify(said("x")), 1-1/300.; got.Language != "yy" || math.Abs(got.Score-want) > 1e-12 {
		t.Errorf("x is %v, want yy at %v", got, want)
	}
	if got := n.Identify(said("x x x ж")); got != (Guess{"yy", 1 - 1/300.}) {
		t.Errorf("x with a term of another script is %v, want yy at the same distance", got)
	}
	if got := n.Identify(said("0 ii")); got != (Guess{}) {
		t.Errorf("terms of no profile are %v, want none", got)
	}
}

// TestMixed: a page in Korean stays so among more terms of code; one of English stays so among
// fewer Korean names.
func TestMixed(t *testing.T) {
	n := languages(t)
	code, korean := strings.Repeat("this value of the component ", 20), strings.Repeat("우리는 강을 따라 산책하고 ", 13)
	if got := n.Identify(said(code + korean)); got.Language != "ko" {
		t.Errorf("Korean with code is held for %v", got)
	}
	if got := n.Identify(said(code + code + korean)); got.Language != "en" {
		t.Errorf("English with Korean is held for %v", got)
	}
}

func TestGrams(t *testing.T) {
	for term, want := range map[string]string{
		"the": "_t t _th th h the he e he_ e_",
		"a":   "_a a _a_ a_",
		"é":   "_é é _é_ é_",
		"漢":   "漢",
		"강을":  "_강 강 _강을 강을 을 강을_ 을_",
	} {
		var got []string
		for _, g := range appendGrams(nil, []byte(term)) {
			got = append(got, g.String())
			if back, ok := parseGram(g.String()); !ok || back != g {
				t.Errorf("%q is read as %q", g, back)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has the n-grams %q, want %q", term, got, want)
		}
	}
}

// TestBlocks: the table of scripts is in order, as the search in it needs.
func TestBlocks(t *testing.T) {
	for i := range blocks[1:] {
		if blocks[i].from >= blocks[i+1].from {
			t.Errorf("block %#x stands before %#x", blocks[i].from, blocks[i+1].from)
		}
	}
	for term, want := range map[string]script{
		"a": latin, "é": latin, "ə": latin, "ế": latin, "ж": cyrillic, "ω": greek, "ἀ": greek, "ا": arabic, "ש": hebrew,
		"ก": thai,
		"강": hangul, "漢": chinese, "か": chinese, "カ": chinese, "क": devanagari, "ა": georgian, "Ꮳ": none,
		"\U00020000": none,
	} {
		if got := scriptOf([]byte(term)); got != want {
			t.Errorf("%q is of script %d, want %d", term, got, want)
		}
	}
}
