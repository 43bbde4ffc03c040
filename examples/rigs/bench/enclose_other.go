//go:build !linux

package main

import (
	"context"
	"errors"
	"io"
	"os/exec"
)

var errLinux = errors.New("they are Linux's")

func enclose(context.Context, []string, io.Writer, io.Writer) (int, error) { return 0, errLinux }

func furnish(int) error { return errLinux }

func endWithUs(*exec.Cmd) {}

func filesystem(string) string { return "unknown" }

func settle() {}
