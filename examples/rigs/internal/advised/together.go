package advised

import (
	"errors"
	"runtime"
	"sync"
)

// Hands are draws, dealt out to as many runs as there are processors.
func Hands(draws []int) [][]int {
	hands := make([][]int, min(runtime.GOMAXPROCS(0), len(draws)))
	for i, draw := range draws {
		hands[i%len(hands)] = append(hands[i%len(hands)], draw)
	}
	return hands
}

// Together does things, as many at once as there are processors.
func Together(things ...func() error) error {
	errs, free := make([]error, len(things)), make(chan bool, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, do := range things {
		free <- true
		all.Go(func() {
			errs[i] = do()
			<-free
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
