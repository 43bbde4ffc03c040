package dial

import (
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"
)

// nameServer starts a name server on the loopback: good.test has addresses, empty.test
// has none, broken.test is answered SERVFAIL, silent.test not at all, rebind.test with 127.0.0.2 once
// and then with 127.0.0.1, else NXDOMAIN.
func nameServer(t *testing.T) string {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var rebound atomic.Bool
	srv := &dns.Server{PacketConn: pc, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		answer(w, q, &rebound)
	})}
	go srv.ActivateAndServe()
	t.Cleanup(func() { srv.Shutdown() })
	return pc.LocalAddr().String()
}

func answer(w dns.ResponseWriter, q *dns.Msg, rebound *atomic.Bool) {
	m := new(dns.Msg)
	m.SetReply(q)
	m.RecursionAvailable = true
	name, qtype := q.Question[0].Name, q.Question[0].Qtype
	give := func(addrs ...string) {
		for _, a := range addrs {
			m.Answer = append(m.Answer, &dns.A{
				Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60}, A: net.ParseIP(a)})
		}
	}
	switch {
	case name == "rebind.test." && qtype != dns.TypeA:
	case name == "rebind.test." && rebound.CompareAndSwap(false, true):
		give("127.0.0.2")
	case name == "rebind.test.":
		give("127.0.0.1")
	case name == "silent.test.":
		return
	case name == "broken.test.":
		m.Rcode = dns.RcodeServerFailure
	case name == "good.test." && qtype == dns.TypeA:
		give("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5")
	case name == "good.test." || name == "empty.test.":
	default:
		m.Rcode = dns.RcodeNameError
	}
	w.WriteMsg(m)
}

func TestLookup(t *testing.T) {
	r := Resolver{Server: nameServer(t), Timeout: 2 * time.Second}
	tests := []struct {
		host  string
		addrs int
		err   error
	}{
		{"good.test", 4, nil},
		{"good.test.", 4, nil},
		{"empty.test", 0, ErrNoHost},
		{"nowhere.test", 0, ErrNoHost},
		{"intranet", 0, ErrNoHost},
		{"broken.test", 0, ErrDNS},
		{"127.0.0.1", 1, nil},
		{"[::1]", 1, nil},
	}
	for _, tt := range tests {
		addrs, err := r.Lookup(t.Context(), tt.host)
		if len(addrs) != tt.addrs || !errors.Is(err, tt.err) {
			t.Errorf("Lookup(%s) = %v, %v, want %d addresses and error %v", tt.host, addrs, err, tt.addrs, tt.err)
		}
	}
}

func TestLookupTimesOut(t *testing.T) {
	r := Resolver{Server: nameServer(t), Timeout: 100 * time.Millisecond}
	if _, err := r.Lookup(t.Context(), "silent.test"); !errors.Is(err, ErrDNS) {
		t.Errorf("Lookup(silent.test) = %v, want ErrDNS", err)
	}
}
