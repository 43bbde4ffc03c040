package dial

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// ownAddresses returns the addresses of this machine. It reads them only once, because a run is
// short. Other addresses that lead to this machine, such as that of a router with NAT, cannot be
// known here.
var ownAddresses = sync.OnceValues(func() ([]netip.Addr, error) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("list the addresses of this machine, which are refused: %w", err)
	}
	var own []netip.Addr
	for _, addr := range addrs {
		if prefix, err := netip.ParsePrefix(addr.String()); err == nil {
			own = append(own, prefix.Addr().Unmap().WithZone(""))
		}
	}
	return own, nil
})
