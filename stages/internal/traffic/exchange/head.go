package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"multitext/stages/internal/web/httphead"
)

var (
	errHeadTooLong = errors.New("head longer than the limit")
	errNotHTTP     = errors.New("not an HTTP answer")
)

// maxFields is the maximum number of fields in a head, because a parsed short field needs many
// times its size. Servers send a few dozen.
const maxFields = 1000

// maxInterim is the maximum number of 1xx answers before the final answer.
const maxInterim = 5

// A head is a parsed status line and header.
type head struct {
	raw    []byte // with the empty line
	status int
	minor  int // of HTTP/1.minor
	header httphead.Fields
}

// readHead reads the head of an answer, at most limit bytes of it. Interim (1xx) answers are
// skipped. The error wraps errHeadTooLong or errNotHTTP, or is the connection's; got is how many
// bytes had come.
func readHead(br *bufio.Reader, limit int) (h *head, got int, err error) {
	for range maxInterim + 1 {
		raw, err := readHeadBytes(br, limit-got)
		got += len(raw)
		if err != nil {
			return nil, got, err
		}
		h, err = parseHead(raw)
		if err != nil {
			return nil, got, err
		}
		switch {
		case h.status == http.StatusSwitchingProtocols:
			return nil, got, fmt.Errorf("%w: it switches protocols unasked", errNotHTTP)
		case h.status >= 200:
			return h, got, nil
		}
	}
	return nil, got, fmt.Errorf("%w: more than %d interim answers", errNotHTTP, maxInterim)
}

// readHeadBytes reads to the first empty line.
func readHeadBytes(br *bufio.Reader, limit int) ([]byte, error) {
	raw := make([]byte, 0, 512) // of the usual one
	lineStart := 0
	for {
		piece, err := br.ReadSlice('\n')
		raw = append(raw, piece...)
		if len(raw) > limit {
			return raw, errHeadTooLong
		}
		if len(raw) >= len(magic) && !bytes.HasPrefix(raw, []byte(magic)) {
			return raw, errNotHTTP
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue // the line goes on
		}
		if err != nil {
			return raw, err
		}
		if line := raw[lineStart:]; lineStart > 0 && (string(line) == "\n" || string(line) == "\r\n") {
			return raw, nil
		}
		lineStart = len(raw)
	}
}

const magic = "HTTP/1."

// parseHead reads a head.
func parseHead(raw []byte) (*head, error) {
	version, status, fields, ok := httphead.CutStatus(raw)
	minor, err := strconv.Atoi(strings.TrimPrefix(string(version), "1."))
	if !ok || !bytes.HasPrefix(raw, []byte(magic)) || err != nil {
		first, _, _ := bytes.Cut(raw, []byte("\n"))
		return nil, fmt.Errorf("%w: status line %.60q", errNotHTTP, first)
	}
	if bytes.Count(fields, []byte("\n")) > maxFields {
		return nil, fmt.Errorf("%w: more than %d lines", errHeadTooLong, maxFields)
	}
	return &head{raw: raw, status: status, minor: minor, header: httphead.Fields(nil).Parse(string(fields))}, nil
}

// keepsAlive reports whether the server will take another request on the connection. If a head has
// both chunks and a length, one of them is wrong (RFC 9112, section 6.1), so the data after the
// body is not trusted.
func (h *head) keepsAlive() bool {
	if h.header.HasWord("Connection", "close") {
		return false
	}
	if h.header.Values("Transfer-Encoding") != nil && h.header.Values("Content-Length") != nil {
		return false
	}
	return h.minor >= 1 || h.header.HasWord("Connection", "keep-alive")
}
