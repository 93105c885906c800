package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/cerasum/cerasum/internal/salience"
	"github.com/cerasum/cerasum/models"
)

// builtIn lists the models compiled into the program, without size and hash. The
// card beside each file has the same information.
var builtIn = []models.BuiltIn{
	{
		Name: "salience-general", Method: "salience", Path: "internal/salience/general.bin",
		Licence: "CC BY-SA 4.0", Free: true,
		Corpora: []string{
			"OrangeSum, train (Kamal Eddine et al. 2021): CC BY-SA 4.0",
			"ScisummNet, train (Yasunaga et al. 2019): CC BY 4.0",
			"QMSum, train (Zhong et al. 2021): MIT; transcripts of AMI and ICSI: CC BY 4.0",
		},
	},
	{
		Name: "salience-multinews", Method: "salience", Path: "internal/salience/multinews.bin",
		Licence: "non-commercial research and education",
		Corpora: []string{"Multi-News, train (Fabbri et al. 2019; truncated form of the Multi-News+ repository): non-commercial research and education"},
	},
	{
		Name: "editor", Method: "editor", Path: "internal/reading/editor.forest",
		Licence: "CC BY-SA 4.0", Free: true,
		Corpora: []string{
			"Choices, training part, and its first labels: labels CC0; texts public domain, CC0, CC BY, CC BY-SA, MIT, MPL 2.0 and GPL 2+",
			"own clusters and single documents, written for this project: CC0",
			"ScisummNet, training (Yasunaga et al. 2019): CC BY 4.0",
			"QMSum, training (Zhong et al. 2021): MIT; transcripts of AMI and ICSI: CC BY 4.0",
		},
	},
	{
		Name: "standing", Method: "editor", Path: "internal/reading/standing.weights",
		Licence: "CC BY-SA 4.0", Free: true,
		Corpora: []string{
			"NTREX-128 (Federmann et al. 2022): CC BY-SA 4.0",
			"own clusters, written for this project: CC0",
		},
	},
}

// cards are the names that cards have, beside their files.
var cards = []string{"README.md", "DATA.md"}

// describeBuiltIn reads the files; their cards must contain their names, licences
// and corpora. files is the repository.
func describeBuiltIn(files fs.FS, list []models.BuiltIn) ([]models.BuiltIn, error) {
	described := []models.BuiltIn{}
	for _, b := range list {
		data, err := fs.ReadFile(files, b.Path)
		if err != nil {
			return nil, err
		}
		if path.Ext(b.Path) == ".bin" {
			if _, err := salience.Decode(string(data)); err != nil {
				return nil, fmt.Errorf("%s: %w", b.Path, err)
			}
		}
		card, err := readCard(files, path.Dir(b.Path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Path, err)
		}
		for _, said := range append([]string{path.Base(b.Path), b.Licence}, b.Corpora...) {
			if !bytes.Contains(card, []byte(said)) {
				return nil, fmt.Errorf("%s: want %q in its card", b.Path, said)
			}
		}
		sum := sha256.Sum256(data)
		b.Bytes, b.SHA256 = int64(len(data)), hex.EncodeToString(sum[:])
		described = append(described, b)
	}
	return described, nil
}

func readCard(files fs.FS, folder string) ([]byte, error) {
	for _, name := range cards {
		card, err := fs.ReadFile(files, path.Join(folder, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return card, err
		}
	}
	return nil, errors.New("missing card")
}
