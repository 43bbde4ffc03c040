package main

import (
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/robots"
)

// sitemaps writes the sitemaps named in robots.txt files, as links of those files. The zero value
// writes nothing.
type sitemaps struct {
	out *urlbatch.Writer
	rep *report.Report
}

func newSitemaps(env *stage.Env, path string) sitemaps {
	if path == "" {
		return sitemaps{}
	}
	return sitemaps{urlbatch.NewWriter(env.Files, path, env.Report.Made), env.Report}
}

// add writes the sitemaps in the robots.txt of origin, at most robots.MaxSitemaps URLs.
func (s sitemaps) add(origin string, rules *robots.Rules) error {
	if s.out == nil {
		return nil
	}
	for _, url := range rules.Sitemaps() {
		rec := urlbatch.New(url)
		rec.Set(urlbatch.Via, origin+"/robots.txt")
		rec.Set(urlbatch.Rel, urlbatch.Sitemap)
		s.rep.Count("sitemaps", 1)
		if err := s.out.Write(rec); err != nil {
			return err
		}
	}
	return nil
}

func (s sitemaps) close() error {
	if s.out == nil {
		return nil
	}
	return s.out.Close()
}
