package dial

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"multitext/stages/internal/testkit/nameserver"
)

// nameServer starts a name server on the loopback: good.test has addresses, empty.test has none,
// broken.test is answered SERVFAIL, silent.test not at all, rebind.test with 127.0.0.2 once and
// then with 127.0.0.1, else NXDOMAIN.
func nameServer(t *testing.T) string {
	rebound := false // questions come in turn
	return nameserver.Start(t, func(name string, ipv4 bool) nameserver.Answer {
		switch name {
		case "rebind.test":
			switch {
			case !ipv4:
				return nameserver.Answer{}
			case rebound:
				return nameserver.Answer{Addrs: []string{"127.0.0.1"}}
			}
			rebound = true
			return nameserver.Answer{Addrs: []string{"127.0.0.2"}}
		case "silent.test":
			return nameserver.Answer{Silent: true}
		case "broken.test":
			return nameserver.Answer{Code: dnsmessage.RCodeServerFailure}
		case "empty.test":
			return nameserver.Answer{}
		case "good.test":
			if ipv4 {
				return nameserver.Answer{Addrs: []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4",
					"192.0.2.5"}}
			}
			return nameserver.Answer{}
		}
		return nameserver.Answer{Code: dnsmessage.RCodeNameError}
	})
}

func TestLookup(t *testing.T) {
	d := Dialer{Server: nameServer(t), Timeout: 2 * time.Second}
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
		addrs, err := d.lookup(t.Context(), tt.host)
		if len(addrs) != tt.addrs || !errors.Is(err, tt.err) {
			t.Errorf("lookup(%s) = %v, %v, want %d addresses and error %v", tt.host, addrs, err, tt.addrs, tt.err)
		}
	}
}

func TestLookupTimesOut(t *testing.T) {
	d := Dialer{Server: nameServer(t), Timeout: 100 * time.Millisecond}
	if _, err := d.lookup(t.Context(), "silent.test"); !errors.Is(err, ErrDNS) {
		t.Errorf("lookup(silent.test) = %v, want ErrDNS", err)
	}
}
