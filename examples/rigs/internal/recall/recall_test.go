package recall

import "testing"

// TestCurve: of two wanted pages one is fetched third and one sixth; one that cannot be reached is left
// out by who counts.
func TestCurve(t *testing.T) {
	crawl, wanted := []uint32{5, 6, 0, 7, 8, 1, 9, 3, 4}, make([]bool, 10)
	wanted[0], wanted[1], wanted[2] = true, true, true
	all := Count(crawl, wanted)
	c := Of(crawl, wanted, len(crawl), all)
	if all != 2 || c[33] != 0 || c[34] != 50 || c[66] != 50 || c[67] != 100 || len(c) != 101 || c.Half() != 34 {
		t.Errorf("half at %.1f, %v", c.Half(), c)
	}
	if l := c.Line("x"); l.Name != "x" || len(l.X) != 101 || l.X[67] != 67 || l.Y[67] != 100 {
		t.Errorf("the line %v", l)
	}
}

// TestShort: a crawl that ends after five of nine pages has one of two, to the end.
func TestShort(t *testing.T) {
	wanted := make([]bool, 10)
	wanted[0], wanted[1] = true, true
	c := Of([]uint32{5, 6, 0, 7, 8}, wanted, 9, 2)
	if c[33] != 0 || c[34] != 50 || c[100] != 50 {
		t.Errorf("%v", c)
	}
	if none := Of([]uint32{5}, wanted, 9, 2); none.Half() != 100 || none[100] != 0 {
		t.Errorf("half at %.1f, %v", none.Half(), none)
	}
}
