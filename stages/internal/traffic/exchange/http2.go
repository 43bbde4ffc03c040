package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// A http2Talk talks HTTP/2 (RFC 9113), one request at a time: a polite crawler has no use for more
// on one connection. So there are no streams to keep apart, no goroutines, and the bounds are those
// of the link, as for HTTP/1.1. Frames and header compression are the library's.
//
// Every byte of the wire counts against one budget: Limits.Head and maxNoise until the head has come,
// an eighth more than Limits.Body for what follows. Settings, pings, padding, empty frames and frames
// of a byte each draw on it like text, so a server cannot make a small answer dear with them.
// Pushed answers are forbidden, and end the connection.
type http2Talk struct {
	l       *link
	framer  *http2.Framer
	out     bytes.Buffer // frames not yet sent
	encoder *hpack.Encoder
	block   bytes.Buffer // a header, compressed

	begun  bool   // the preface is sent
	last   bool   // the server takes no more requests
	stream uint32 // of the request under way
	quiet  int64  // bytes that may still come
	unread int64  // bytes of bodies that came since the connection's window was opened
	behind int64  // the same of the stream
	ended  bool   // the answer has
}

const (
	// maxNoise is what may come beside head and body of an answer, in bytes; an eighth of the body may come, too.
	maxNoise = 64 << 10
	// window is what a server may send ahead. All of it waits in the system, none in this program.
	window = 1 << 20
	// maxFrame is the largest frame taken, which is the least that a server may count on.
	maxFrame = 16 << 10
)

// errHTTP11 is the server's wish to be asked by HTTP/1.1.
var errHTTP11 = errors.New("the server wants HTTP/1.1 for this")

func newHTTP2(l *link) *http2Talk {
	t := &http2Talk{l: l, stream: ^uint32(0)} // the first request is 1
	t.framer = http2.NewFramer(&t.out, (*noiseMeter)(t))
	t.framer.SetReuseFrames()
	t.framer.SetMaxReadFrameSize(maxFrame)
	t.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	t.encoder = hpack.NewEncoder(&t.block)
	t.encoder.SetMaxDynamicTableSize(0) // what the server remembers of us is nothing
	return t
}

// A noiseMeter reads for the framer, as far as the budget goes.
type noiseMeter http2Talk

func (r *noiseMeter) Read(p []byte) (int, error) {
	if r.quiet <= 0 {
		return 0, errHeadTooLong
	}
	n, err := r.l.in.Read(p[:min(int64(len(p)), r.quiet)])
	r.quiet -= int64(n)
	return n, err
}

// ready is always true: frames say what they answer.
func (t *http2Talk) ready() bool { return true }

func (t *http2Talk) ask(m *message, _ []byte, limit int) (*head, int, error) {
	t.stream += 2
	t.quiet, t.behind, t.ended = int64(limit)+maxNoise, 0, false
	t.framer.MaxHeaderListSize = uint32(limit)
	if !t.begun {
		t.begin(limit)
	}
	t.request(m)
	if err := t.flush(); err != nil {
		return nil, 0, err
	}
	got := 0
	for range maxInterim + 1 {
		f, err := t.frame()
		if err != nil {
			return nil, got, err
		}
		fields, ok := f.(*http2.MetaHeadersFrame)
		if !ok {
			return nil, got, fmt.Errorf("%w: data before the head", errNotHTTP)
		}
		h, err := headOf(fields)
		if err != nil {
			return nil, got, err
		}
		got += len(h.raw)
		t.ended = fields.StreamEnded()
		if h.status >= 200 {
			return h, got, nil
		}
		if t.ended || h.status == http.StatusSwitchingProtocols {
			return nil, got, fmt.Errorf("%w: status %d in HTTP/2", errNotHTTP, h.status)
		}
	}
	return nil, got, fmt.Errorf("%w: more than %d interim answers", errNotHTTP, maxInterim)
}

// begin opens the connection: the preface, our settings and its window.
func (t *http2Talk) begin(limit int) {
	t.begun = true
	t.out.WriteString(http2.ClientPreface)
	t.framer.WriteSettings(
		http2.Setting{ID: http2.SettingEnablePush, Val: 0},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: window},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: uint32(limit)},
	)
	t.framer.WriteWindowUpdate(0, window-65535) // 65535 is what every connection has
}

// request puts the frames of a request into t.out.
func (t *http2Talk) request(m *message) {
	t.block.Reset()
	for _, f := range []field{{":method", "GET"}, {":scheme", m.scheme}, {":authority", m.host}, {":path", m.path}} {
		t.encoder.WriteField(hpack.HeaderField{Name: f.name, Value: f.value})
	}
	for _, f := range m.fields {
		t.encoder.WriteField(hpack.HeaderField{Name: strings.ToLower(f.name), Value: f.value})
	}
	block := t.block.Bytes()
	piece := block[:min(len(block), maxFrame)]
	block = block[len(piece):]
	t.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: t.stream, BlockFragment: piece, EndStream: true, EndHeaders: len(block) == 0,
	})
	for len(block) > 0 {
		piece = block[:min(len(block), maxFrame)]
		block = block[len(piece):]
		t.framer.WriteContinuation(t.stream, len(block) == 0, piece)
	}
}

func (t *http2Talk) flush() error {
	if t.out.Len() == 0 {
		return nil
	}
	_, err := t.l.Write(t.out.Bytes())
	t.out.Reset()
	return err
}

func (t *http2Talk) body(h *head, s *Spool, limit int64) (again bool, err error) {
	b := bodyReader{to: s, limit: limit}
	t.quiet += limit + limit/8
	for !t.ended {
		f, err := t.frame()
		if errors.Is(err, errNotHTTP) || errors.Is(err, errHeadTooLong) {
			err = fmt.Errorf("%w: %w", errGarbled, err)
		}
		if err != nil {
			return false, unexpected(err)
		}
		switch f := f.(type) {
		case *http2.DataFrame:
			t.ended = f.StreamEnded()
			if err := b.keep(f.Data()); err != nil {
				return false, err
			}
			err = t.open(int64(f.Length))
			if err != nil {
				return false, err
			}
		case *http2.MetaHeadersFrame: // the trailer
			if t.ended = f.StreamEnded(); !t.ended {
				return false, fmt.Errorf("%w: a second head", errGarbled)
			}
		}
	}
	if how, length := framingOf(h); how == byLength && length != s.Len() {
		return false, fmt.Errorf("%w: %d bytes where Content-Length says %d", errGarbled, s.Len(), length)
	}
	return !t.last, nil
}

// open lets the server send on, after n bytes of the body.
func (t *http2Talk) open(n int64) error {
	if t.unread += n; t.unread >= window/2 {
		t.framer.WriteWindowUpdate(0, uint32(t.unread))
		t.unread = 0
	}
	if t.behind += n; t.behind >= window/2 && !t.ended {
		t.framer.WriteWindowUpdate(t.stream, uint32(t.behind))
		t.behind = 0
	}
	return t.flush()
}

// frame gives the next frame of the answer, which is head, data or trailer, and valid until the
// next call; it does what other frames ask for.
func (t *http2Talk) frame() (http2.Frame, error) {
	for {
		f, err := t.framer.ReadFrame()
		if h, ok := f.(*http2.MetaHeadersFrame); ok && h.Truncated {
			return nil, errHeadTooLong
		}
		if err != nil {
			return nil, frameError(err)
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				t.framer.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				t.framer.WritePing(true, f.Data)
			}
		case *http2.GoAwayFrame:
			t.last = true
			if f.LastStreamID < t.stream {
				return nil, errRefused
			}
		case *http2.RSTStreamFrame:
			if f.StreamID == t.stream {
				return nil, resetError(f.ErrCode)
			}
		case *http2.PushPromiseFrame:
			return nil, fmt.Errorf("%w: it pushes, though that is forbidden", errNotHTTP)
		case *http2.DataFrame, *http2.MetaHeadersFrame:
			if f.Header().StreamID != t.stream {
				return nil, fmt.Errorf("%w: a frame of stream %d, which is not under way", errNotHTTP, f.Header().StreamID)
			}
			return f, nil
		}
		if err := t.flush(); err != nil {
			return nil, err
		}
	}
}

// frameError tells what is wrong with HTTP/2 from what is wrong with the connection.
func frameError(err error) error {
	var connection http2.ConnectionError
	var stream http2.StreamError
	if errors.As(err, &connection) || errors.As(err, &stream) || errors.Is(err, http2.ErrFrameTooLarge) {
		return fmt.Errorf("%w: %w", errNotHTTP, err)
	}
	return err
}

// resetError says what a server means that ends the stream.
func resetError(code http2.ErrCode) error {
	switch code {
	case http2.ErrCodeRefusedStream:
		return errRefused
	case http2.ErrCodeHTTP11Required:
		return errHTTP11
	}
	return fmt.Errorf("%w: %v", errEnded, code)
}

// headOf gives the head in the shape of HTTP/1.1. Fields that speak of the connection mean nothing
// in HTTP/2, and would mean something in that shape: they are left out.
func headOf(f *http2.MetaHeadersFrame) (*head, error) {
	code := f.PseudoValue("status")
	status, err := strconv.ParseUint(code, 10, 10)
	if err != nil || len(code) != 3 || status < 100 {
		return nil, fmt.Errorf("%w: status %.20q", errNotHTTP, code)
	}
	if len(f.Fields) > maxFields {
		return nil, fmt.Errorf("%w: more than %d fields", errHeadTooLong, maxFields)
	}
	h := &head{status: int(status), minor: 1}
	h.raw = fmt.Appendf(nil, "HTTP/1.1 %s \r\n", code)
	for _, one := range f.RegularFields() {
		switch one.Name {
		case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
			continue
		}
		h.raw = fmt.Appendf(h.raw, "%s: %s\r\n", one.Name, one.Value)
		h.header = append(h.header, field{one.Name, one.Value})
	}
	h.raw = append(h.raw, "\r\n"...)
	return h, nil
}
