package waiting

// head returns the earliest of first and of the times from which on hosts stand in the committed
// ready lists of a lane. A time below 0 is none, and one up to enough is early enough.
//
// It passes for good over entries that their hosts' rows do not name any more, but not over those of a
// time to come: a host that comes into the list later stands behind what was passed. None of a host that
// came into a list in this run is among those, for first is not behind it.
func (s *State) head(lane Lane, first, enough int64) (int64, error) {
	for band := 0; band < bands && (first < 0 || first > enough); band++ {
		read := &s.meta.read[lane][band]
		if err := s.places.Seek(place{lane, uint8(band), read.at}.key(read.host)); err != nil {
			return 0, err
		}
		for {
			key, _, ok, err := s.places.Next()
			if err != nil {
				return 0, err
			}
			p, host, isPlace := isPlace(key)
			if !ok || !isPlace || p.lane != lane {
				return first, nil
			}
			if p.band != uint8(band) {
				band = int(p.band) - 1 // the lists between are empty
				break
			}
			if first >= 0 && p.at >= first {
				break
			}
			r, err := s.find(host)
			if err != nil {
				return 0, err
			}
			if r.standsAt(p) {
				first = p.at
				break
			}
			if p.at <= s.now {
				*read = entry{p.at, host}
			}
		}
	}
	return first, nil
}
