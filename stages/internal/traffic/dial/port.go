package dial

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// ErrPort is wrapped by the error for a port of another protocol.
var ErrPort = errors.New("is a port of another protocol, to which no browser connects (-connect-to names an address " +
	"with its port)")

// badPorts are the ports of the Fetch standard (section "Port blocking"), in order. A link must not
// make a crawler connect to mail servers and the like.
var badPorts = []uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
	110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
	532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
	5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}

// CheckPort returns nil if Check returns nil and the port is allowed. Otherwise it returns an error
// that wraps ErrPrivate or ErrPort.
func (p *Policy) CheckPort(addr netip.AddrPort) error {
	if err := checkPort(addr.Port()); err != nil {
		return err
	}
	return p.Check(addr.Addr())
}

func checkPort(port uint16) error {
	if _, bad := slices.BinarySearch(badPorts, port); bad {
		return fmt.Errorf("%d %w", port, ErrPort)
	}
	return nil
}
