package main

import (
	"testing"

	"multitext/examples/rigs/internal/results/resultstest"
)

func TestTextIsOfTheTables(t *testing.T) { resultstest.TextIsOfTables(t, resultsText) }
