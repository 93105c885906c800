package models

import "embed"

// Known lists the models of the hub that have a short name, as JSON: their
// ids, revisions (commits of the hub), licences, dimensions, limits in tokens,
// the prefix that each text must get, and the large files. The bytes of a file
// with a sha256 are exact; without one they are an estimate, for display, and
// the file's hash is not known.
//
//go:embed known.json
var Known []byte

// The pattern stands for manifest.json, and lets a program without it be built.
//
//go:embed [mk]*.json
var lists embed.FS

// Manifest is manifest.json, which lists the files of the shipped encoder. The
// error is fs.ErrNotExist where the program was built without one.
func Manifest() ([]byte, error) { return lists.ReadFile("manifest.json") }
