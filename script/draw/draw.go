// Package draw draws the flow of a script.
package draw

import (
	"io"

	"multitext/script"
)

// Text writes the flow as plain text.
func Text(w io.Writer, s *script.Script) error { return nil }

// Dot writes the flow in Graphviz's language.
func Dot(w io.Writer, s *script.Script) error { return nil }

// Mermaid writes the flow as a Mermaid flowchart.
func Mermaid(w io.Writer, s *script.Script) error { return nil }

// SVG writes the flow as a picture.
func SVG(w io.Writer, s *script.Script) error { return nil }
