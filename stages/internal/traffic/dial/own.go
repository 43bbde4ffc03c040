package dial

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// ownAddresses lists the addresses of this machine when it is first asked: a run is short. What
// else leads here, as the address of a router that translates, nobody here can know.
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
