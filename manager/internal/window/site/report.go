package site

import (
	"bytes"
	"net/http"

	"multitext/manager/internal/window/report"
)

// report sends the report of a crawl, which is not kept up to date. It has a policy of its own, as
// it has its style in it. The report of a large crawl keeps a processor busy for a minute, so one
// is written at a time.
func (s *Site) report(w http.ResponseWriter, r *http.Request) {
	c, err := s.crawl(r.PathValue("crawl"))
	var b bytes.Buffer
	if err == nil {
		err = report.Write(r.Context(), &b, c)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", report.Policy())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}
