package site

import (
	"net/http"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
)

// A row is a crawl in the list of all.
type row struct {
	Name, Base string
	Error      string // why it cannot be shown
	*overviewData
}

// first answers with the list of all crawls. If there is only one, it leads to its overview.
func (s *Site) first(w http.ResponseWriter, r *http.Request) {
	if len(s.crawls) == 1 {
		http.Redirect(w, r, "/c/"+s.crawls[0].Name+"/", http.StatusSeeOther)
		return
	}
	var rows []row
	for _, c := range s.crawls {
		one := row{Name: c.Name, Base: "/c/" + c.Name + "/"}
		err := c.With(func(v *view.Crawl, p *past.Past) error {
			var err error
			one.overviewData, err = summarize(v, p)
			return err
		})
		if err != nil {
			one.Error, one.overviewData = err.Error(), &overviewData{Status: &view.Status{}}
		}
		rows = append(rows, one)
	}
	part, err := s.pages.Part("crawls", "crawls", map[string]any{"Rows": rows, "Now": time.Now()})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.write(w, r, http.StatusOK, &page.Page{Title: "Crawls", At: r.URL.RequestURI(), Parts: []page.Part{part}})
}
