// Package models embeds the models that cerasum ships, so that everything works
// offline: the encoder's export folder, folders with centroid weights, and
// manifest.json, which lists every file with its size, SHA-256, licence and
// dimensions.
//
// Start with [Encoder], the files of the shipped encoder, and [Weights].
package models

import (
	"embed"
	"io/fs"
)

// The pattern matches the folders encoder, cera-… and cerai-…, but allows building
// without weights.
//
//go:generate go run ./manifest -root ..
//go:embed [ce]* manifest.json
var files embed.FS

// Manifest returns manifest.json, which lists the files of the shipped models.
func Manifest() ([]byte, error) { return files.ReadFile("manifest.json") }

// Encoder returns the export folder of the shipped sentence encoder. The error is
// fs.ErrNotExist if the program was built without one.
func Encoder() (fs.FS, error) {
	folder, err := fs.Sub(files, "encoder")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(folder, "encoder.onnx"); err != nil {
		return nil, err
	}
	return folder, nil
}
