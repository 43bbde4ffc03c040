package examples

import (
	"net"
	"syscall"
	"testing"
)

// TestWindowRestart: a page whose window has ended says that its figures are old. When another
// window answers at the same address, the page goes on by itself, without being loaded again.
func TestWindowRestart(t *testing.T) {
	t.Parallel()
	b := newWords(t)
	first := openWindow(t, b.bin, b.path(b.script))
	p := first.tab()
	p.says("has not begun")
	until(t, "the page is live", func() bool { return p.text("#live") == "up to date" })
	js[bool](p, "window.loadedOnce = true")

	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	until(t, "the page says that it is not live", func() bool {
		return p.text("#live") == "no connection: the figures are old"
	})
	p.says("has not begun")
	until(t, "the port is free", func() bool {
		conn, err := net.Dial("tcp", first.host)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	b.run(0)
	openWindow(t, b.bin, "-listen", first.host, b.path(b.script))
	until(t, "the page is live again", func() bool { return p.text("#live") == "up to date" })
	until(t, "the page shows that the crawl has ended", func() bool {
		return p.text("#now h1") == "The crawl has ended: nothing is left to do."
	})
	if !js[bool](p, "window.loadedOnce === true") {
		t.Error("the page was loaded again")
	}
	p.quiet("/events?") // which nobody answered meanwhile
}
