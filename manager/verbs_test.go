package main

import "testing"

// How many arguments a verb takes stands in the line that shows them.
func TestTakes(t *testing.T) {
	for args, want := range map[string][2]int{ // the least and the most, of up to 9
		"": {0, 0}, "SCRIPT": {1, 1}, "SCRIPT [STAGE]": {1, 2}, "-n SCRIPT": {1, 1}, "[-n] SCRIPT": {1, 1},
		"SCRIPT QUEUE FILE...": {3, 9}, "[SCRIPT] BATCH...": {1, 9},
	} {
		for n := range 10 {
			if err := (verb{args: args}).takes(n); (err == nil) != (n >= want[0] && n <= want[1]) {
				t.Errorf("%q and %d arguments: %v", args, n, err)
			}
		}
	}
}
