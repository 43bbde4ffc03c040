package urlbatch

import "strconv"

// Share returns the attribute key as a number from 0 to 1, the nearest such number if it is another
// one, and 0 if it is absent or no number.
func (r *Record) Share(key string) float64 {
	text, _ := r.Get(key)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// MaxInlinks is the greatest number of links that a record can stand for. The record may come from
// another crawler, whose mistakes must not count for more.
const MaxInlinks = 1 << 20

// Times returns how many links the record stands for, by its attribute inlinks: from 1 to
// MaxInlinks, whatever the attribute says.
func (r *Record) Times() int64 { return min(max(r.Int(Inlinks), 1), MaxInlinks) }

// Has tells whether the record has the attribute key.
func (r *Record) Has(key string) bool {
	_, ok := r.Raw(key)
	return ok
}
