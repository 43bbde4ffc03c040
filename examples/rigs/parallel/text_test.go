package main

import (
	"testing"

	"multitext/examples/rigs/internal/results/resultstest"
)

func TestTextIsOfTables(t *testing.T) { resultstest.TextIsOfTables(t, resultsText) }
