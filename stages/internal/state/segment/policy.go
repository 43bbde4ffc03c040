package segment

// ratio of the policy of merging (blockfile.Newest). A lookup mostly costs as much in a small
// segment as in a large one, and the seen-set, the largest state, is asked for more keys than it
// has. So it pays to write an entry again, some eight times until the state has a thousand batches,
// and nearly four times more for each sixteenfold of it. (Three segments for each fourfold of the
// state wrote half as much, and a lookup asked twice as many.)
const ratio = 3
