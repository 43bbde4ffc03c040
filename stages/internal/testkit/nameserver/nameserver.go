// Package nameserver is a DNS server on the loopback interface. The test defines its answers.
package nameserver

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// An Answer is what is said of a name. The zero Answer says that the name exists and has no such
// address.
type Answer struct {
	Code   dnsmessage.RCode
	Addrs  []string // of IPv4
	Silent bool     // nothing is said
}

// Start starts a server until the test ends, and gives its address. Each question is answered by a
// function: of a name without the dot at its end, and of its IPv4 addresses or of something else.
func Start(t testing.TB, answer func(name string, ipv4 bool) Answer) (address string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go serve(conn, answer)
	return conn.LocalAddr().String()
}

func serve(conn net.PacketConn, answer func(name string, ipv4 bool) Answer) {
	packet := make([]byte, 4096)
	for {
		n, from, err := conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		q := m.Questions[0]
		a := answer(strings.TrimSuffix(q.Name.String(), "."), q.Type == dnsmessage.TypeA)
		if reply, err := a.reply(m.ID, q); err == nil && !a.Silent {
			conn.WriteTo(reply, from)
		}
	}
}

func (a Answer) reply(id uint16, q dnsmessage.Question) ([]byte, error) {
	m := dnsmessage.Message{
		Header: dnsmessage.Header{ID: id, Response: true, RecursionDesired: true, RecursionAvailable: true,
			RCode: a.Code},
		Questions: []dnsmessage.Question{q},
	}
	for _, text := range a.Addrs {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			return nil, err
		}
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 60},
			Body:   &dnsmessage.AResource{A: addr.As4()},
		})
	}
	return m.Pack()
}
