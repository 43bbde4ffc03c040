package site

import (
	"context"
	"sync"
	"time"

	"multitext/manager/internal/window/page"
)

// feeds make pages again and again while somebody looks at them. A page that several browsers show
// is made once for all of them.
type feeds struct {
	throttle *throttle
	make     func(at string) *page.Page // nil if there is no such page

	mu  sync.Mutex
	all map[string]*feed // by the address of the page
}

// A feed makes one page. The fields are guarded by the mutex of feeds.
type feed struct {
	viewers int
	stop    context.CancelFunc
	times   int           // how often the page was made
	page    *page.Page    // as it was made last
	made    chan struct{} // closed when it is made the next time
}

func newFeeds(throttle *throttle, make func(at string) *page.Page) *feeds {
	return &feeds{throttle: throttle, make: make, all: map[string]*feed{}}
}

// A viewer looks at a page until it leaves.
type viewer struct {
	feeds *feeds
	at    string
	feed  *feed
	seen  int
}

// join begins to look at a page.
func (fs *feeds) join(at string) *viewer {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.all[at]
	if f == nil {
		ctx, stop := context.WithCancel(context.Background())
		f = &feed{stop: stop, made: make(chan struct{})}
		fs.all[at] = f
		go fs.keep(ctx, at, f)
	}
	f.viewers++
	return &viewer{feeds: fs, at: at, feed: f}
}

// leave ends the look. When nobody looks at a page, it is not made any more.
func (v *viewer) leave() {
	v.feeds.mu.Lock()
	defer v.feeds.mu.Unlock()
	if v.feed.viewers--; v.feed.viewers == 0 {
		v.feed.stop()
		delete(v.feeds.all, v.at)
	}
}

// next waits until the page was made after the last call. It returns false if the context ends
// first.
func (v *viewer) next(ctx context.Context) (p *page.Page, ok bool) {
	for {
		v.feeds.mu.Lock()
		times, p, made := v.feed.times, v.feed.page, v.feed.made
		v.feeds.mu.Unlock()
		if times > v.seen {
			v.seen = times
			return p, true
		}
		select {
		case <-ctx.Done():
			return nil, false
		case <-made:
		}
	}
}

// keep makes a page again and again until the context ends.
func (fs *feeds) keep(ctx context.Context, at string, f *feed) {
	for {
		var p *page.Page
		if !fs.throttle.do(ctx, func() { p = fs.make(at) }) {
			return
		}
		fs.mu.Lock()
		f.page, f.times = p, f.times+1
		close(f.made)
		f.made = make(chan struct{})
		fs.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(leastPause):
		}
	}
}
