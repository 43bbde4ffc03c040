package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
)

// wire is a request to a host that misbehaves, and the bare connection for the answer. Every
// answer ends when the client has gone, when it has taken its longest time, or when its fault
// is done with it; then the connection is closed.
type wire struct {
	host   string
	target string // path and query
	conn   net.Conn
	gone   context.Context // ends when the client has closed, and after the longest time
	done   func()          // the client is about to have all it gets
}

// misbehave answers r by fault, for the longest time at most; done is called once, no later
// than the client can know that it has the whole answer.
func misbehave(w http.ResponseWriter, r *http.Request, fault func(*wire), longest time.Duration, done func()) {
	done = sync.OnceFunc(done)
	defer done()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the client has gone
	}
	_ = conn.SetDeadline(time.Now().Add(longest))
	gone, leave := context.WithCancel(r.Context())
	defer leave()
	defer conn.Close()
	context.AfterFunc(gone, func() { conn.Close() })
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		done()
		leave()
	}()
	fault(&wire{hostOf(r.Host), r.RequestURI, conn, gone, done})
}

// send sends text and tells whether the client is still there.
func (w *wire) send(text string) bool {
	_, err := io.WriteString(w.conn, text)
	return err == nil && w.gone.Err() == nil
}

// last sends the end of an answer.
func (w *wire) last(text string) {
	if first := len(text) - lastPiece; first > 0 {
		w.send(text[:first])
		text = text[first:]
	}
	w.done()
	w.send(text)
}

// drip sends text again and again, a byte each second.
func (w *wire) drip(text string) {
	for i := 0; w.send(text[i%len(text) : i%len(text)+1]); i++ {
		sleep(w.gone, time.Second)
	}
}

// flood sends pieces without end, each a millisecond after the other.
func (w *wire) flood(piece func(i int) string) {
	for i := 0; w.send(piece(i)); i++ {
		sleep(w.gone, time.Millisecond)
	}
}

// silence sends nothing more.
func (w *wire) silence() { <-w.gone.Done() }

// reset ends the connection by RST.
func (w *wire) reset() {
	w.done()
	if c, ok := w.conn.(*net.TCPConn); ok {
		_ = c.SetLinger(0)
	}
}

// answer is a whole answer in good form, its fields as lines without their ends.
func (w *wire) answer(status string, body string, fields ...string) {
	w.last(head(status, append(fields, fmt.Sprintf("Content-Length: %d", len(body)))...) + body)
}

// page answers with a whole HTML document.
func (w *wire) page(body string) { w.answer("200 OK", w.document(body), "Content-Type: "+typeHTML) }

// redirect answers with a Location.
func (w *wire) redirect(to string) { w.answer("302 Found", "", "Location: "+to) }

// document differs from host to host.
func (w *wire) document(body string) string {
	return "<!DOCTYPE html>\n<meta charset=utf-8>\n<title>A page of " + w.host + "</title>\n" + body
}

// head is the head of an answer.
func head(status string, fields ...string) string {
	var b strings.Builder
	b.WriteString("HTTP/1.1 " + status + "\r\n")
	for _, f := range append(fields, "Connection: close") {
		b.WriteString(f + "\r\n")
	}
	return b.String() + "\r\n"
}

// hash is a number that follows from text.
func hash(text string) uint64 { return xxhash.Sum64String(text) }

// repeated hands out the same piece.
func repeated(piece string) func(int) string { return func(int) string { return piece } }

// always does the same for each request.
func always(status, body string, fields ...string) func(*wire) {
	return func(w *wire) { w.answer(status, body, fields...) }
}
