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

// Has tells whether the record has the attribute key.
func (r *Record) Has(key string) bool {
	_, ok := r.Raw(key)
	return ok
}
