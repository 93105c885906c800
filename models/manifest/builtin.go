package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"

	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/models"
)

// builtIn is what was learned and is compiled into the core, without bytes and
// hash. The card beside each tells the same.
var builtIn = []models.BuiltIn{
	{
		Name: "salience-multinews", Method: "salience", Path: "internal/salience/multinews.bin",
		Licence: "non-commercial research and education",
		Corpora: []string{"Multi-News, train (Fabbri et al. 2019; truncated form of the Multi-News+ repository): non-commercial research and education"},
	},
	{
		Name: "salience-orangesum", Method: "salience", Path: "internal/salience/orangesum.bin",
		Licence: "CC BY-SA 4.0", Free: true,
		Corpora: []string{"OrangeSum, train (Kamal Eddine et al. 2021): CC BY-SA 4.0"},
	},
}

// describeBuiltIn reads their files, whole; their cards must name them, their
// licences and their corpora. files are those of the repository.
func describeBuiltIn(files fs.FS, list []models.BuiltIn) ([]models.BuiltIn, error) {
	described := []models.BuiltIn{}
	for _, b := range list {
		data, err := fs.ReadFile(files, b.Path)
		if err != nil {
			return nil, err
		}
		if _, err := salience.Decode(string(data)); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Path, err)
		}
		card, err := fs.ReadFile(files, path.Join(path.Dir(b.Path), "README.md"))
		if err != nil {
			return nil, fmt.Errorf("%s: no card: %w", b.Path, err)
		}
		for _, said := range append([]string{path.Base(b.Path), b.Licence}, b.Corpora...) {
			if !bytes.Contains(card, []byte(said)) {
				return nil, fmt.Errorf("%s: its card does not say %q", b.Path, said)
			}
		}
		sum := sha256.Sum256(data)
		b.Bytes, b.SHA256 = int64(len(data)), hex.EncodeToString(sum[:])
		described = append(described, b)
	}
	return described, nil
}
