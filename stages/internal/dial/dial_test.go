package dial

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"
)

func TestPolicyRefuses(t *testing.T) {
	refused := []string{
		"0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.8.9.10",
		"168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1",
		"192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.2.3", "240.0.0.1",
		"255.255.255.255",
		"::", "::1", "::127.0.0.1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
		"2001::1", "2001:db8::1", "3fff::1", "100::1", "4000::1", "5f00::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", // mapped
		"64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", // NAT64
		"2002:7f00:1::", "2002:c0a8:101::1", // 6to4 of 127.0.0.1 and 192.168.1.1
	}
	var closed *Policy
	for _, s := range refused {
		if err := closed.Check(netip.MustParseAddr(s)); !errors.Is(err, ErrPrivate) {
			t.Errorf("Check(%s) = %v, want it refused", s, err)
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
		"127.0.0.1": true, "::ffff:127.0.0.1": true, "::1": true, "10.1.9.9": true, "10.2.0.1": false, "::2": false, "192.168.0.1": false,
	} {
		if got := p.Check(netip.MustParseAddr(s)) == nil; got != open {
			t.Errorf("Check(%s) allows = %v, want %v", s, got, open)
		}
	}
	if got, want := p.String(), "127.0.0.0/8,::1/128,10.1.0.0/16"; got != want {
		t.Errorf("String = %q, want %q", got, want)
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
		"www.example.org:443=127.0.0.1:8443", "*.example.org=127.0.0.1:8001", "[::1]:80=[::1]:8002", "*:8080=127.0.0.1:8003",
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
	for _, s := range []string{"", "a", "=127.0.0.1:1", "a=localhost:80", "a=127.0.0.1", "a=127.0.0.1:0", "a:b=127.0.0.1:1", "[a=127.0.0.1:1"} {
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

func TestDialJudgesAtConnect(t *testing.T) {
	addr := listen(t)
	var open Policy
	if err := open.Set("127.0.0.0/8"); err != nil {
		t.Fatal(err)
	}
	mapped := netip.AddrPortFrom(netip.AddrFrom16(addr.Addr().As16()), addr.Port())
	tests := []struct {
		name    string
		dialer  Dialer
		addr    netip.AddrPort
		refused bool
	}{
		{"closed", Dialer{}, addr, true},
		{"closed, mapped", Dialer{}, mapped, true},
		{"opened", Dialer{Policy: &open}, addr, false},
		{"named", Dialer{Named: []netip.AddrPort{addr}}, addr, false},
		{"another port named", Dialer{Named: []netip.AddrPort{netip.AddrPortFrom(addr.Addr(), 1)}}, addr, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := tt.dialer.Dial(t.Context(), []netip.AddrPort{tt.addr}, 5*time.Second)
			if err == nil {
				c.Close()
			}
			if errors.Is(err, ErrPrivate) != tt.refused || (err != nil) != tt.refused {
				t.Errorf("Dial = %v, want refused = %v", err, tt.refused)
			}
		})
	}
}

func TestDialTakesTheNextAddress(t *testing.T) {
	dead := netip.MustParseAddrPort("127.0.0.1:1") // tcpmux: nobody listens
	living := listen(t)
	var open Policy
	if err := open.Set("127.0.0.0/8"); err != nil {
		t.Fatal(err)
	}
	d := Dialer{Policy: &open}
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
