package main

import (
	"errors"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
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

// remedyOf says what to do about a seed that was rejected, "" of a link: pages are not the user's
// to mend.
func remedyOf(rec *urlbatch.Record, reason string) string {
	if _, linked := rec.Raw(urlbatch.Via); linked || reason == urlbatch.BadLine {
		return ""
	}
	head, port, colon := strings.Cut(rec.URL(), ":")
	if !colon || strings.Contains(head, ".") || port != "" && port[0] >= '0' && port[0] <= '9' {
		return "write http:// or https:// in front of it"
	}
	return "restrict -rules FILE -explain URL says what decides, and why"
}
