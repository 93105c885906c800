package hub

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/models"
)

// shippedWeights returns the embedded centroid weights.
func shippedWeights() ([]*shipped, error) {
	list, err := models.AllWeights()
	if err != nil {
		return nil, err
	}
	var all []*shipped
	for _, w := range list {
		files, err := models.Weights(w.Name)
		if err != nil {
			return nil, err
		}
		s, err := readWeights(w, files)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// readWeights converts an entry of manifest.json.
func readWeights(w models.WeightsInfo, files fs.FS) (*shipped, error) {
	s := &shipped{Name: w.Name, Dimensions: w.Dimensions, Licence: w.Licence, files: files, weights: &w}
	for i, f := range w.Files {
		path, ok := strings.CutPrefix(f.Path, w.Name+"/")
		if !ok || !inside(path) {
			return nil, fmt.Errorf("manifest.json: weights %s: files[%d].path: want a path within the folder, got %q", w.Name, i, f.Path)
		}
		s.Files = append(s.Files, File{Path: path, Bytes: f.Bytes, SHA256: f.SHA256})
	}
	return s, nil
}

// checkWeights checks the shipped weights of a name, or all of them.
func checkWeights(ctx context.Context, name string) ([]Check, error) {
	all, err := shippedWeights()
	if err != nil {
		return nil, err
	}
	var checks []Check
	for _, s := range all {
		if name != "" && name != s.Name {
			continue
		}
		c, err := s.check(ctx)
		if err != nil {
			return nil, err
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// isWeights reports whether a name is that of shipped weights.
func isWeights(name string) bool {
	list, err := models.AllWeights()
	return err == nil && slices.ContainsFunc(list, func(w models.WeightsInfo) bool { return w.Name == name })
}
