package dial

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// TestPolicyRefuses has addresses of every range that is no part of the public internet, at both
// ends where they are not obvious, and each way to write an IPv4 address in an IPv6 one.
func TestPolicyRefuses(t *testing.T) {
	var closed Policy
	for _, tt := range []struct{ name, addrs string }{
		{"this network", "0.0.0.0 0.1.2.3 0.255.255.255"},
		{"private", "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255"},
		{"carrier-grade NAT", "100.64.0.1 100.100.100.200 100.127.255.255"},
		{"loopback", "127.0.0.1 127.8.9.10 127.255.255.255"},
		{"cloud metadata", "168.63.129.16"},
		{"link-local", "169.254.0.1 169.254.169.254 169.254.170.2"},
		{"protocol assignments", "192.0.0.1 192.0.0.192"},
		{"documentation", "192.0.2.1 198.51.100.7 203.0.113.9"},
		{"6to4 relay", "192.88.99.1"},
		{"benchmarking", "198.18.0.1 198.19.255.255"},
		{"multicast", "224.0.0.1 239.1.2.3"},
		{"reserved", "240.0.0.1 255.255.255.254"},
		{"reserved", "255.255.255.255"}, // broadcast

		{"reserved", "::"}, // unspecified
		{"loopback", "::1"},
		{"reserved", "::127.0.0.1 ::10.0.0.1 ::8.8.8.8"}, // IPv4-compatible
		{"private", "fc00::1 fd00:ec2::254 fdff::1"},
		{"link-local", "fe80::1 fe80::1%eth0 febf::1"},
		{"reserved", "fec0::1 100::1 4000::1 5f00::1 64:ff9b:1::1 64:ff9b:1:2::7f00:1"},
		{"multicast", "ff02::1 ff0e::1"},
		{"protocol assignments", "2001::1 2001:0:7f00:1::1 2001:1ff::1"}, // with Teredo
		{"documentation", "2001:db8::1 3fff::1"},

		{"loopback", "::ffff:127.0.0.1 64:ff9b::127.0.0.1 2002:7f00:1::1"}, // mapped, NAT64, 6to4
		{"private", "::ffff:10.0.0.1 64:ff9b::192.168.0.1 2002:c0a8:101::1 2002:a00:1::"},
		{"link-local", "::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::"},
		{"this network", "::ffff:0.0.0.0 64:ff9b:: 2002::"},
		{"reserved", "::ffff:255.255.255.255"},
		{"multicast", "::ffff:224.0.0.1"},
	} {
		for addr := range strings.FieldsSeq(tt.addrs) {
			err := closed.Check(netip.MustParseAddr(addr))
			if !errors.Is(err, ErrPrivate) || !strings.Contains(err.Error(), "("+tt.name+")") {
				t.Errorf("Check(%s) = %v, want it refused as %s", addr, err, tt.name)
			}
		}
	}
	if err := closed.Check(netip.Addr{}); !errors.Is(err, ErrPrivate) {
		t.Errorf("Check(no address) = %v, want it refused", err)
	}
	public := []string{
		"1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "172.15.0.1",
		"172.32.0.1", "192.0.1.1", "223.255.255.255",
		"2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1",
	}
	for _, s := range public {
		if err := closed.Check(netip.MustParseAddr(s)); err != nil {
			t.Errorf("Check(%s) = %v, want it allowed", s, err)
		}
	}
}

func TestPolicyOpens(t *testing.T) {
	var p Policy
	for _, s := range []string{"127.0.0.0/8, ::1", "10.1.0.0/16"} {
		if err := p.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	for s, open := range map[string]bool{
		"127.0.0.1": true, "::ffff:127.0.0.1": true, "::1": true, "10.1.9.9": true, "10.2.0.1": false, "::2": false,
		"192.168.0.1": false,
	} {
		if got := p.Check(netip.MustParseAddr(s)) == nil; got != open {
			t.Errorf("Check(%s) allows = %v, want %v", s, got, open)
		}
	}
	for _, s := range []string{"", "localhost", "10.0.0.0/33", "127.0.0.0/8,,"} {
		if err := new(Policy).Set(s); err == nil {
			t.Errorf("Set(%q) took it", s)
		}
	}
}

func TestConnectTo(t *testing.T) {
	var c ConnectTo
	for _, s := range []string{
		"www.example.org:443=127.0.0.1:8443", "*.example.org=127.0.0.1:8001", "[::1]:80=[::1]:8002",
		"*:8080=127.0.0.1:8003",
	} {
		if err := c.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		host string
		port uint16
		want string
	}{
		{"www.example.org", 443, "127.0.0.1:8443"},
		{"www.example.org", 80, "127.0.0.1:8001"},
		{"a.b.example.org", 80, "127.0.0.1:8001"},
		{"[::1]", 80, "[::1]:8002"},
		{"other.net", 8080, "127.0.0.1:8003"},
		{"example.org", 80, ""},
		{"other.net", 80, ""},
	}
	for _, tt := range tests {
		got, ok := c.Lookup(tt.host, tt.port)
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("Lookup(%s, %d) = %v, %v, want %q", tt.host, tt.port, got, ok, tt.want)
		}
	}
	for _, s := range []string{"", "a", "=127.0.0.1:2", "a=localhost:80", "a=127.0.0.1", "a=127.0.0.1:0",
		"a:b=127.0.0.1:1", "[a=127.0.0.1:1"} {
		if err := new(ConnectTo).Set(s); err == nil {
			t.Errorf("Set(%q) took it", s)
		}
	}
}

// listen starts a server that accepts and says nothing, and returns its address.
func listen(t *testing.T) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// dialer returns a Dialer with the ranges and the rule that are not empty.
func dialer(t *testing.T, open, named string) *Dialer {
	t.Helper()
	d := &Dialer{}
	if err := d.Policy.Set(open); err != nil && open != "" {
		t.Fatal(err)
	}
	if err := d.ConnectTo.Set(named); err != nil && named != "" {
		t.Fatal(err)
	}
	return d
}

func TestDialJudgesAtConnect(t *testing.T) {
	addr := listen(t)
	mapped := netip.AddrPortFrom(netip.AddrFrom16(addr.Addr().As16()), addr.Port())
	tests := []struct {
		name    string
		open    string // -allow-private
		named   string // -connect-to
		addr    netip.AddrPort
		refused bool
	}{
		{"closed", "", "", addr, true},
		{"closed, mapped", "", "", mapped, true},
		{"opened", "127.0.0.0/8", "", addr, false},
		{"named", "", "x.test=" + addr.String(), addr, false},
		{"another port named", "", "x.test=127.0.0.1:1", addr, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := dialer(t, tt.open, tt.named).Dial(t.Context(), []netip.AddrPort{tt.addr}, 5*time.Second)
			if err == nil {
				c.Close()
			}
			if errors.Is(err, ErrPrivate) != tt.refused || (err != nil) != tt.refused {
				t.Errorf("Dial = %v, want refused = %v", err, tt.refused)
			}
		})
	}
}

// TestRebinding has a name that leads to an open address when it is looked up first and to a closed
// one from then on. What was pinned goes on to be connected to; the closed one never is.
func TestRebinding(t *testing.T) {
	inside := listen(t)
	outside, err := net.Listen("tcp", netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), inside.Port()).String())
	if err != nil {
		t.Skipf("a second address of the loopback cannot be had: %v", err)
	}
	defer outside.Close()
	d := dialer(t, "127.0.0.2", "")
	d.Server = nameServer(t)
	url := fmt.Sprintf("http://rebind.test:%d/", inside.Port())
	pinned, err := d.Find(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if addrs, err := d.Find(t.Context(), url); !errors.Is(err, ErrPrivate) {
		t.Errorf("the second look-up gives %v, %v; want it refused", addrs, err)
	}
	for range 2 {
		c, err := d.Dial(t.Context(), pinned, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if got := c.RemoteAddr().String(); got != outside.Addr().String() {
			t.Errorf("connected to %s, want what was pinned, %s", got, outside.Addr())
		}
	}
	if _, err := d.Dial(t.Context(), []netip.AddrPort{inside}, 5*time.Second); !errors.Is(err, ErrPrivate) {
		t.Errorf("Dial = %v, want the closed address refused at connect", err)
	}
}

func TestDialTakesTheNextAddress(t *testing.T) {
	dead := netip.MustParseAddrPort("127.0.0.1:2") // compressnet: nobody listens
	living := listen(t)
	d := dialer(t, "127.0.0.0/8", "")
	c, err := d.Dial(t.Context(), []netip.AddrPort{dead, living}, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.RemoteAddr().String(); got != living.String() {
		t.Errorf("connected to %s, want %s", got, living)
	}
	if _, err := d.Dial(t.Context(), nil, time.Second); err == nil {
		t.Error("Dial without an address gave no error")
	}
}
