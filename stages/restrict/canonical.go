package main

import (
	"errors"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// reasonOf returns the reason for a URL for which package canon returned err.
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

// remedyOf returns what to do about a rejected seed. For a link it returns "", because the user
// cannot change pages.
func remedyOf(rec *urlbatch.Record, reason string) string {
	if _, linked := rec.Raw(urlbatch.Via); linked || reason == urlbatch.BadLine {
		return ""
	}
	head, port, colon := strings.Cut(rec.URL(), ":")
	if !colon || strings.Contains(head, ".") || port != "" && port[0] >= '0' && port[0] <= '9' {
		return "write http:// or https:// in front of it"
	}
	return "restrict -rules FILE -explain URL prints which rule decides, and why"
}
