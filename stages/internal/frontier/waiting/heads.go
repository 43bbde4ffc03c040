package waiting

// heads calls see with the time of the first entry, of each committed ready list of a lane, that
// holds.
func (s *State) heads(lane Lane, see func(at int64)) error {
	for band := 0; band < bands; band++ {
		read := s.meta.read[lane][band]
		if err := s.places.Seek(place{lane, uint8(band), read.at}.key(read.host)); err != nil {
			return err
		}
		for {
			key, _, ok, err := s.places.Next()
			if err != nil || !ok {
				return err
			}
			p, host, ok := isPlace(key)
			if !ok || p.lane != lane {
				return nil
			}
			if p.band != uint8(band) {
				band = int(p.band) - 1 // the lists between are empty
				break
			}
			r, err := s.row(host)
			if err != nil {
				return err
			}
			if r != nil && r.listed && r.place == p {
				see(p.at)
				break
			}
		}
	}
	return nil
}
