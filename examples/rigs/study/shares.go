package main

import "math"

// diagonal is the share of a matrix that stands on it.
func diagonal(m [][]int) float64 {
	own, all := 0, 0
	for i, row := range m {
		own += row[i]
		for _, n := range row {
			all += n
		}
	}
	return float64(own) / float64(all)
}

// upTo is the share of the URLs that at most k crawlers fetched.
func upTo(by []int, k int) float64 {
	some, all := 0, 0
	for i, n := range by {
		all += n
		if i < k {
			some += n
		}
	}
	return float64(some) / float64(all)
}

// apart is the greatest distance between the shares of the rows of two matrices.
func apart(a, b [][]int) (most float64) {
	for i := range a {
		x, y := shares(a[i]), shares(b[i])
		for j := range x {
			most = max(most, math.Abs(x[j]-y[j]))
		}
	}
	return most
}

// total is the sum of a row.
func total(row []int) (sum int) {
	for _, n := range row {
		sum += n
	}
	return sum
}

func shares(row []int) []float64 {
	all := total(row)
	of := make([]float64, len(row))
	for i, n := range row {
		of[i] = float64(n) / float64(max(all, 1))
	}
	return of
}
