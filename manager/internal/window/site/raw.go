package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/peek"
	"multitext/txlog"
)

// frameBytes is the maximum size of a page or picture in a frame, after decompression.
const frameBytes = 32 << 20

// frameWithin is the time in which it must be read.
const frameWithin = 20 * time.Second

// framePolicy is the Content-Security-Policy of what a stage has made: it is shown as from an
// origin of its own, runs no script and loads nothing.
const framePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// raw answers with the content of a page or picture that a stage has made, for a frame.
func (s *Site) raw(w http.ResponseWriter, r *http.Request) {
	f, name, ok := s.openFile(w, r)
	if !ok {
		return
	}
	defer f.Close()
	media := shownAs(ext(name))
	if media == "" {
		s.fail(w, r, notFound("Only HTML, SVG and PNG are shown in a frame."))
		return
	}
	in, done, err := peek.Reader(f, peek.Limits{Bytes: frameBytes, Until: time.Now().Add(frameWithin)})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	w.Header().Set("Content-Security-Policy", framePolicy)
	w.Header().Set("Content-Type", media)
	if _, err := io.Copy(w, in); err != nil {
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
}

// download answers with a file as it is.
func (s *Site) download(w http.ResponseWriter, r *http.Request) {
	f, name, ok := s.openFile(w, r)
	if !ok {
		return
	}
	defer f.Close()
	w.Header().Set("Content-Security-Policy", framePolicy)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name.Queue()+"-"+name.File()))
	http.ServeContent(w, r, "", time.Time{}, f)
}

// openFile opens the file that an address names. If it cannot, it answers with a page that says
// why.
func (s *Site) openFile(w http.ResponseWriter, r *http.Request) (f *os.File, name txlog.Name, ok bool) {
	c, err := s.crawl(r.PathValue("crawl"))
	if err == nil {
		err = c.With(func(v *view.Crawl, _ *past.Past) error {
			name = txlog.Name(r.PathValue("queue") + "/" + r.PathValue("file"))
			if !(&look{Crawl: v}).known(name) {
				return notFound("The crawl has no queue with a file of this name.")
			}
			f, err = peek.Open(v.Root, name)
			if errors.Is(err, fs.ErrNotExist) {
				return notFound("The file is not there any more.")
			}
			return err
		})
	}
	if err != nil {
		s.fail(w, r, err)
		return nil, name, false
	}
	return f, name, true
}
