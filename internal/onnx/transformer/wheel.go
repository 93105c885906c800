package main

import (
	"archive/zip"
	"fmt"
	"path"
)

// openWheel opens a wheel, which is a zip file, and returns the folder in it
// that contains a sentence-transformers model.
func openWheel(file string) (archive *zip.ReadCloser, folder string, err error) {
	if archive, err = zip.OpenReader(file); err != nil {
		return nil, "", err
	}
	var folders []string
	for _, f := range archive.File {
		if path.Base(f.Name) == "modules.json" {
			folders = append(folders, path.Dir(f.Name))
		}
	}
	switch len(folders) {
	case 1:
		return archive, folders[0], nil
	case 0:
		err = fmt.Errorf("no folder with a modules.json")
	default:
		err = fmt.Errorf("several models: %q: unpack the wheel and use --model", folders)
	}
	_ = archive.Close()
	return nil, "", err
}
