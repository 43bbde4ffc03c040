package dial

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBadPorts refuses ports wherever they come from, but for an address that the user has named.
func TestBadPorts(t *testing.T) {
	if !slices.IsSorted(badPorts) || len(badPorts) != 83 {
		t.Errorf("%d ports, sorted: %v", len(badPorts), slices.IsSorted(badPorts))
	}
	d := dialer(t, "127.0.0.0/8", "x.test:22=127.0.0.1:22")
	for _, port := range []string{"23", "25", "6000", "6667", "10080"} {
		addr := netip.MustParseAddrPort("127.0.0.1:" + port)
		if _, err := d.Find(t.Context(), "http://127.0.0.1:"+port+"/"); !errors.Is(err, ErrPort) {
			t.Errorf("Find port %s = %v", port, err)
		}
		if _, err := d.Allowed([]netip.AddrPort{addr}); !errors.Is(err, ErrPort) {
			t.Errorf("Allowed port %s = %v", port, err)
		}
		if _, err := d.Dial(context.Background(), []netip.AddrPort{addr}, time.Second); !errors.Is(err, ErrPort) {
			t.Errorf("Dial port %s = %v", port, err)
		}
	}
	for _, port := range []string{"80", "443", "8080", "6379"} { // Redis ends a connection that speaks HTTP
		if err := d.Policy.CheckPort(netip.MustParseAddrPort("127.0.0.1:" + port)); err != nil {
			t.Errorf("port %s: %v", port, err)
		}
	}
	if _, err := d.Find(t.Context(), "http://x.test:22/"); err != nil {
		t.Errorf("a port that is named: %v", err)
	}
}

// TestOwnAddresses refuses an address of this machine as one that is not on the public internet.
func TestOwnAddresses(t *testing.T) {
	own, err := ownAddresses()
	if err != nil || !slices.Contains(own, netip.MustParseAddr("127.0.0.1")) {
		t.Errorf("this machine has %v, %v", own, err)
	}
	p := Policy{own: func() ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("2606:4700::1")}, nil
	}}
	for _, s := range []string{"93.184.216.34", "::ffff:93.184.216.34", "2606:4700::1"} {
		if err := p.Check(netip.MustParseAddr(s)); !errors.Is(err, ErrPrivate) || !strings.Contains(err.Error(),
			"this machine") {
			t.Errorf("Check(%s) = %v", s, err)
		}
	}
	if err := p.Check(netip.MustParseAddr("93.184.216.35")); err != nil {
		t.Errorf("the one beside it: %v", err)
	}
	if err := p.Set("93.184.216.34"); err != nil {
		t.Fatal(err)
	}
	if err := p.Check(netip.MustParseAddr("93.184.216.34")); err != nil {
		t.Errorf("opened: %v", err)
	}
	p.own = func() ([]netip.Addr, error) { return nil, errors.New("no list") }
	if err := p.Check(netip.MustParseAddr("93.184.216.35")); err == nil {
		t.Error("without a list of them an address is allowed")
	}
}
