package experiment

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"time"
)

// A world is the servers of one scenario, drawn from a seed: the same for every control.
type world struct {
	plan     Plan
	scenario Scenario
	seed     uint64
	servers  []*server
	hosts    []*host
	turn     [2]time.Time // when rates fall, and when they rise
	active   int          // downloads under way
}

// A server is an address with its rate.
type server struct {
	number  int
	addr    netip.Addr
	rate    float64 // bytes a second at its best hour
	dip     float64 // what it loses at its worst
	worst   float64 // hour of a working day
	latency time.Duration
	fast    bool
	link    *link // nil: its own
}

// A link is shared by servers.
type link struct {
	rate   float64
	active int
}

// A host has documents without end, the same for every control.
type host struct {
	name   string
	server *server
	random *rand.Rand
	ready  time.Time // since when it could be asked
}

// A document is what a host is asked for, and how its download will go.
type document struct {
	host    *host
	size    int     // bytes
	noise   float64 // factor on the server's rate
	latency time.Duration
}

func newWorld(p Plan, s Scenario, seed uint64) *world {
	w := &world{plan: p, scenario: s, seed: seed}
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range p.Servers.Servers {
		w.servers = append(w.servers, newServer(p.Servers, i, r))
	}
	if s.Link > 0 {
		for i, sv := range w.servers {
			if i%s.Link == 0 {
				sv.link = &link{rate: s.LinkRate}
			} else {
				sv.link = w.servers[i-1].link
			}
		}
	}
	for i := range p.Servers.Hosts {
		sv := w.servers[i%len(w.servers)]
		w.hosts = append(w.hosts, &host{name: sv.addr.String() + "/" + string(rune('a'+i/len(w.servers))), server: sv,
			random: rand.New(rand.NewPCG(seed, uint64(i)+1))})
	}
	start := w.start()
	w.turn = [2]time.Time{start.Add(p.Measured / 3), start.Add(2 * p.Measured / 3)}
	return w
}

// start is when measuring begins.
func (w *world) start() time.Time {
	if w.scenario.Cold {
		return w.plan.Begin
	}
	return w.plan.Begin.Add(w.plan.Warm)
}

func (w *world) limit() float64 {
	if w.scenario.Limit > 0 {
		return w.scenario.Limit
	}
	return w.plan.Limit
}

func newServer(p Population, i int, r *rand.Rand) *server {
	s := &server{
		number:  i,
		addr:    netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}),
		rate:    lognormal(r, p.Rate, p.RateDev),
		latency: time.Duration(lognormal(r, float64(p.Latency), p.LatencyDev)),
		dip:     p.Dip * r.Float64(),
		worst:   24 * r.Float64(),
	}
	if i%p.Fast == p.Fast-1 {
		s.fast, s.rate, s.latency = true, p.FastRate, p.FastLatency
	}
	return s
}

func lognormal(r *rand.Rand, median, dev float64) float64 {
	return median * math.Exp(dev*r.NormFloat64())
}

// next draws the host's next document.
func (w *world) next(h *host) *document {
	p := w.plan.Servers
	return &document{
		host:    h,
		size:    int(min(max(lognormal(h.random, p.Size, p.SizeDev), p.LeastSize), p.MostSize)),
		noise:   lognormal(h.random, 1, p.Noise),
		latency: time.Duration(lognormal(h.random, float64(h.server.latency), p.Waiting)),
	}
}

// rate is what a download gets at now, with all that is under way.
func (w *world) rate(d *document, now time.Time) float64 {
	s := d.host.server
	hour := float64(now.Hour()) + float64(now.Minute())/60
	rate := s.rate * d.noise * (1 - s.dip*(1+math.Cos(2*math.Pi*(hour-s.worst)/24))/2)
	switch {
	case w.scenario.Fall > 0 && s.number%3 == 0 && !now.Before(w.turn[0]):
		rate *= w.scenario.Fall
	case w.scenario.Rise > 0 && s.number%3 == 1 && !now.Before(w.turn[1]):
		rate *= w.scenario.Rise
	}
	if s.link != nil {
		rate = min(rate, s.link.rate/float64(s.link.active))
	}
	if w.scenario.Crowd > 0 {
		rate /= 1 + float64(w.active)/w.scenario.Crowd
	}
	return rate
}

// begin and end tell the world how many downloads share its links.
func (w *world) begin(d *document) { w.count(d, 1) }
func (w *world) end(d *document)   { w.count(d, -1) }

func (w *world) count(d *document, n int) {
	w.active += n
	if l := d.host.server.link; l != nil {
		l.active += n
	}
}
