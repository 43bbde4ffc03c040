package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// foreign makes a file of one response with these fields, as another program would write it.
func foreign(fields string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\n%sContent-Type: application/http\r\nContent-Length: 20\r\n\r\n"+
		"HTTP/1.1 200 OK\r\n\r\na\r\n\r\n", fields)
	z.Close()
	return b.Bytes()
}

// TestLinesLead reads what each line leads to by the standard library: one member, and in it the
// record of the line.
func TestLinesLead(t *testing.T) {
	in, out := archiveOf(t), filepath.Join(t.TempDir(), "index.cdxj")
	stagetest.MustRun(t, tool(), setup, "", "-out", out, in)
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines(t, out) {
		h := only(t, data[l.Offset:l.Offset+l.Length])
		if h.Get("WARC-Target-URI") != l.URL || !strings.HasSuffix(h.Get("WARC-Payload-Digest"), l.Digest) ||
			(h.Get("WARC-Type") == "revisit") != (l.Mime == "warc/revisit") ||
			h.Get("WARC-Date")[:19] != l.Date.Format("2006-01-02T15:04:05") {
			t.Errorf("line %+v leads to %v", l, h)
		}
	}
}

// only returns the header of the one record of a member.
func only(t *testing.T, member []byte) textproto.MIMEHeader {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(member))
	if err != nil {
		t.Fatal(err)
	}
	text := textproto.NewReader(bufio.NewReader(z))
	if version, err := text.ReadLine(); err != nil || !strings.HasPrefix(version, "WARC/1.") {
		t.Fatalf("it begins with %q, %v", version, err)
	}
	h, err := text.ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(text.R)
	if want := h.Get("Content-Length"); err != nil || strconv.Itoa(len(rest)-len("\r\n\r\n")) != want {
		t.Fatalf("%d bytes behind the header (%v), want those of one record: %s", len(rest), err, want)
	}
	return h
}

// TestWarcio holds the index line by line against the one that warcio makes of the same file (the
// program of the npm package warcio). Where that is not installed it is skipped.
func TestWarcio(t *testing.T) {
	warcio, err := exec.LookPath("warcio")
	if err != nil {
		t.Skip("no program warcio (npm install -g warcio): the index is not compared with its")
	}
	in, out := archiveOf(t), filepath.Join(t.TempDir(), "index.cdxj")
	stagetest.MustRun(t, tool(), setup, "", "-out", out, in)
	ours, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), warcio, "cdx-index", in)
	var said bytes.Buffer
	cmd.Stderr = &said
	theirs, err := cmd.Output()
	if err != nil {
		t.Skipf("%s knows no cdx-index (is it another program of that name?): %v, %.200q", warcio, err, said.String())
	}
	if got, want := spelt(t, ours), spelt(t, theirs); !slices.Equal(got, want) {
		t.Errorf("ours\n%s\ntheirs\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// spelt returns the lines of an index, sorted, in one spelling of JSON; keys without the slash at
// the end, which warcio's keep, and media types in lower case; without fields that are empty, which
// ours leaves out.
func spelt(t *testing.T, index []byte) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(string(index)) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		var fields map[string]string
		if len(part) != 3 || json.Unmarshal([]byte(part[2]), &fields) != nil {
			t.Fatalf("no line of an index: %q", line)
		}
		fields["mime"] = strings.ToLower(fields["mime"])
		maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
		object, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		path, query, hasQuery := strings.Cut(part[0], "?")
		key := strings.TrimSuffix(path, "/") + "?" + query
		if !hasQuery {
			key = strings.TrimSuffix(path, "/")
		}
		all = append(all, key+" "+part[1]+" "+string(object))
	}
	slices.Sort(all)
	return all
}
