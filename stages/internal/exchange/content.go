package exchange

import (
	"fmt"
	"io"
	"net/http/httputil"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Content returns at most limit bytes of the body with its chunk framing and its gzip
// coding taken off. Where either breaks off, what came before is returned with the error.
func (a *Answer) Content(limit int64) ([]byte, error) {
	in := a.Body.Reader()
	if hasToken(a.Header["Transfer-Encoding"], "chunked") {
		in = httputil.NewChunkedReader(in)
	}
	for _, coding := range slices.Backward(codings(a.Header["Content-Encoding"])) {
		if coding != "gzip" && coding != "x-gzip" {
			return nil, fmt.Errorf("content coding %.40q is not known", coding)
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("undo gzip: %w", err)
		}
		in = z
	}
	content, err := io.ReadAll(io.LimitReader(in, limit))
	if err != nil {
		err = fmt.Errorf("undo coding: %w", err)
	}
	return content, err
}

// codings lists the content codings in the order in which they were put on.
func codings(values []string) []string {
	var names []string
	for word := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if word = strings.ToLower(strings.TrimSpace(word)); word != "" && word != "identity" {
			names = append(names, word)
		}
	}
	return names
}
