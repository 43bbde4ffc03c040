package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// conn is a connection to the web that stays open.
type conn struct {
	net.Conn
	in      *bufio.Reader
	request []byte // the last one
	raw     []byte // the last answer
}

// answer is valid until the next one.
type answer struct {
	status   int
	location string
	latin1   bool // the head says so
	html     bool
	head     []byte // with the empty line
	body     []byte
	raw      []byte // both
}

func dial(web string) (*conn, error) {
	c, err := net.Dial("tcp", web)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, in: bufio.NewReaderSize(c, 32<<10)}, nil
}

// get asks for u and reads the answer.
func (c *conn) get(u target) (*answer, error) {
	c.request = fmt.Appendf(c.request[:0],
		"GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: floor/1.0\r\nAccept: text/html\r\n\r\n", u.path, u.host)
	if _, err := c.Write(c.request); err != nil {
		return nil, err
	}
	a, length := &answer{}, -1
	c.raw = c.raw[:0]
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		c.raw = append(c.raw, line...)
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch string(name) { // in the spelling of Go's server
		case "Content-Length":
			length, _ = strconv.Atoi(string(value))
		case "Location":
			a.location = string(value)
		case "Content-Type":
			a.html = bytes.HasPrefix(value, []byte("text/html"))
			a.latin1 = bytes.HasSuffix(value, []byte("ISO-8859-1"))
		default:
			if a.status == 0 && len(line) > 12 {
				a.status, _ = strconv.Atoi(string(line[9:12]))
			}
		}
	}
	if length < 0 {
		return nil, errors.New("an answer without its length")
	}
	head := len(c.raw)
	c.raw = append(c.raw, make([]byte, length)...)
	if _, err := io.ReadFull(c.in, c.raw[head:]); err != nil {
		return nil, err
	}
	a.raw, a.head, a.body = c.raw, c.raw[:head], c.raw[head:]
	return a, nil
}
