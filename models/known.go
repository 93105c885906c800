package models

import "embed"

// Known lists the hub models with a short name, as JSON: ids, revisions (hub
// commits), licences, dimensions, limits in tokens, the prefix required before each
// text, and the large files. The size of a file with a sha256 is exact; without one
// it is an estimate for display, and the hash is unknown.
//
//go:embed known.json
var Known []byte

// The pattern matches manifest.json, but allows building without it.
//
//go:embed [mk]*.json
var lists embed.FS

// Manifest returns manifest.json, which lists the files of the shipped encoder. The
// error is fs.ErrNotExist if the program was built without one.
func Manifest() ([]byte, error) { return lists.ReadFile("manifest.json") }
