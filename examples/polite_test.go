package examples

import (
	"fmt"
	"net"
	"testing"
	"time"

	"multitext/txlog/crash"
)

// What the crawls of TestPolite promise.
const (
	promisedGap        = 300 * time.Millisecond // of a host
	promisedAddressGap = 100 * time.Millisecond
)

// manners are how the web was treated, as it saw that.
type manners struct {
	Gap                struct{ Seconds *float64 }
	AddressGap         struct{ Seconds *float64 } `json:"address_gap"`
	Connections        struct{ Most int }
	AddressConnections struct{ Most int } `json:"address_connections"`
	Requests           struct{ Most int }
	AddressRequests    struct{ Most int } `json:"address_requests"`
	Hosts, Addresses   []struct{ Fetches int }
}

// TestPolite crawls nine hosts on three addresses, in many short runs of fetch, and the whole tree
// is killed three times. The web lives through that, and what it has seen must never
// be less than the delays and never more than the connections that were promised, to a host and
// to an address.
//
// A fetch that does not count every host as visited when it starts breaks the promise.
func TestPolite(t *testing.T) {
	t.Run("promise", func(t *testing.T) {
		t.Parallel()
		seen := politeCrawl(t)
		if err := seen.kept(); err != nil {
			t.Fatal(err)
		}
		if len(seen.Hosts) != 9 || len(seen.Addresses) != 3 {
			t.Errorf("%d hosts on %d addresses were asked, want 9 on 3", len(seen.Hosts), len(seen.Addresses))
		}
		t.Logf("gap of %.3f s to a host, %.3f s to an address", *seen.Gap.Seconds, *seen.AddressGap.Seconds)
	})
	t.Run("mutant", func(t *testing.T) {
		t.Parallel()
		for range 3 { // by chance no run follows soon on one that asked the same host
			if err := politeCrawl(t, "start-not-counted").kept(); err != nil {
				t.Log(err)
				return
			}
		}
		t.Fatal("a fetch that forgets at its start whom it has asked kept the promise three times")
	})
}

func (m *manners) kept() error {
	if m.Gap.Seconds == nil || m.AddressGap.Seconds == nil {
		return fmt.Errorf("nothing was asked twice: %+v", m)
	}
	if *m.Gap.Seconds < promisedGap.Seconds() || *m.AddressGap.Seconds < promisedAddressGap.Seconds() {
		return fmt.Errorf("gap of %v s to a host, %v s to an address", *m.Gap.Seconds, *m.AddressGap.Seconds)
	}
	if m.Connections.Most != 1 || m.Requests.Most != 1 || m.AddressConnections.Most != 1 ||
		m.AddressRequests.Most != 1 {
		return fmt.Errorf("more than one connection at once: %+v", m)
	}
	return nil
}

// politeCrawl crawls with a fetch that has the given defects, and returns how the web was
// treated.
func politeCrawl(t *testing.T, defects ...string) *manners {
	t.Helper()
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, faulty.Dir(t), "tour", "crawl.toml",
		"-connect-to '*.test={web}'",
		fmt.Sprintf("-connect-to 'h00[036].test=127.0.0.1:%[1]s' "+
			"-connect-to 'h00[147].test=127.0.0.2:%[1]s' -connect-to 'h00[258].test=127.0.0.3:%[1]s'", port),
		"[stage.fetch]\n", "[stage.fetch]\nenv = [\"MULTITEXT_FAILPOINTS\"]\n",
		"-delay 20ms", fmt.Sprint("-delay ", promisedGap),
		"-address-delay 0s -per-address-connections 0",
		fmt.Sprintf("-address-delay %v -per-address-connections 1", promisedAddressGap),
		"-urls 400 -per-host 100", "-urls 60 -per-host 8")
	b.web = "127.0.0.1:" + port
	b.env = crash.Failpoints(t, defects...)
	b.ownWeb("-listen", "127.0.0.2:"+port, "-listen", "127.0.0.3:"+port, "-hosts", "9", "-pages", "4")
	if fired := b.killed(3, wholeTree, 800*time.Millisecond, 1600*time.Millisecond); fired != 3 {
		t.Errorf("%d kills hit the crawl, want 3", fired)
	}
	b.settled()
	m := &manners{}
	b.askStats("?hosts=1", m)
	return m
}
