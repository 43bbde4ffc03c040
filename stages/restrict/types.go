package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// types returns the extensions for each argument of the kind "type".
func types() map[string]string {
	return map[string]string{
		"image":    "avif bmp gif heic ico jpe jpeg jpg png psd svg tif tiff webp xcf",
		"audio":    "aac aif aiff flac m3u m4a mid midi mp3 oga ogg opus ra ram wav wma",
		"video":    "3gp avi flv m3u8 m4v mkv mov mp4 mpeg mpg ogv qt swf webm wmv",
		"archive":  "7z apk bz2 cab deb dmg gz iso jar lz4 rar rpm tar tbz2 tgz txz war xz z zip zst",
		"document": "djvu doc docx epub key odg odp ods odt pdf pps ppt pptx ps eps rtf xls xlsx",
		"style":    "css less scss",
		"script":   "js json map mjs wasm",
		"font":     "eot otf ttf woff woff2",
		"program":  "bin class dll dylib exe img msi pkg so",
	}
}

func typeNames() string { return strings.Join(slices.Sorted(maps.Keys(types())), " ") }

func compileType(args []string) (func(*subject) bool, error) {
	set := map[string]bool{}
	all := types()
	for i, a := range args {
		exts, ok := all[a]
		if !ok {
			return nil, &argError{i, fmt.Errorf("unknown type %q; known are %s", a, typeNames())}
		}
		for ext := range strings.FieldsSeq(exts) {
			set[ext] = true
		}
	}
	return func(s *subject) bool { return set[string(s.ext())] }, nil
}

func compileExt(args []string) (func(*subject) bool, error) {
	set := map[string]bool{}
	for i, a := range args {
		if strings.ContainsAny(a, "./*") {
			return nil, &argError{i, fmt.Errorf("write the extension %q without dot, * or /", a)}
		}
		set[strings.ToLower(a)] = true
	}
	return func(s *subject) bool { return set[string(s.ext())] }, nil
}
