// Package models holds the weights that cerasum ships, within the program, so
// that everything works offline: the encoder's export folder, folders with the
// weights of a centroid's estimation, and manifest.json, which lists every file
// with its bytes, SHA-256, licence and dimensions.
package models

import (
	"embed"
	"io/fs"
)

// The pattern stands for the folders encoder, cera-… and cerai-…, and lets a
// program without weights be built.
//
//go:embed [ce]* known.json manifest.json
var files embed.FS

// Encoder is the export folder of the shipped sentence encoder. The error is
// fs.ErrNotExist where the program was built without one.
func Encoder() (fs.FS, error) {
	folder, err := fs.Sub(files, "encoder")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(folder, "model.onnx"); err != nil {
		return nil, err
	}
	return folder, nil
}
