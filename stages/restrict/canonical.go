package main

import (
	"errors"

	"multitext/stages/internal/canon"
)

// reasonOf gives the reason of a URL for which package canon has this error.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, canon.ErrScheme):
		return "not-http"
	case errors.Is(err, canon.ErrHost):
		return "bad-host"
	case errors.Is(err, canon.ErrLength):
		return "too-long"
	}
	return "bad-url"
}
