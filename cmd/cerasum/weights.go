package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/cmd/cerasum/internal/encoder"
	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/weights"
	"github.com/cerasum/cerasum/models"
	"github.com/spf13/cobra"
)

// namedWeights are weights with their name.
type namedWeights struct {
	name string
	// optional: neither the weights nor their method were named by the user.
	optional bool
	*weights.Model
}

// weightsFlags are the flags of the commands whose methods use weights.
type weightsFlags struct {
	names []string // as given with --weights
}

func (f *weightsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.names, "weights", "w", nil, "weights for methods cera and cerai: a folder written by \"cerasum train centroid\", or a name listed by \"cerasum version\" (default: the method's shipped weights)")
	var names []string
	// Completion is best effort.
	list, _ := models.AllWeights()
	for _, w := range list {
		names = append(names, w.Name)
	}
	complete(cmd, "weights", names...)
}

// weightsOf maps the interpolation of weights to the method that uses them.
var weightsOf = map[bool]string{false: "cera", true: "cerai"}

// load opens the weights of each method that needs them, by method. optional
// methods are skipped if there are none.
func (f *weightsFlags) load(methods []string, licence string, optional bool) (map[string]namedWeights, error) {
	loaded := map[string]namedWeights{}
	for _, name := range f.names {
		m, err := findWeights(name)
		if err != nil {
			return nil, err
		}
		method := weightsOf[m.Config.Interpolation]
		switch other, twice := loaded[method]; {
		case !slices.Contains(methods, method):
			return nil, usage(hinted{fmt.Errorf("--weights %s: weights for method %s, which is not selected", name, method), "select it with --method, or choose other weights"})
		case twice:
			return nil, usage(fmt.Errorf("--weights %s: method %s already has weights %s", name, method, other.name))
		case licence == core.LicenceFree && !m.Free:
			return nil, usage(fmt.Errorf("--licence free: weights %s are not marked as trained on freely licensed corpora only", name))
		}
		loaded[method] = namedWeights{name, false, m}
	}
	for _, method := range methods {
		if _, given := loaded[method]; given || methodInfo(method).Weights != core.WeightsRequired {
			continue
		}
		name, err := models.DefaultWeights(method, licence)
		if errors.Is(err, models.ErrNoWeights) && optional {
			continue
		}
		if err != nil {
			return nil, hinted{err, "name a folder with --weights; \"cerasum train centroid\" creates one"}
		}
		m, err := findWeights(name)
		if err != nil {
			return nil, err
		}
		loaded[method] = namedWeights{name, optional, m}
	}
	return loaded, nil
}

// findWeights reads shipped weights, or those in a folder.
func findWeights(name string) (*weights.Model, error) {
	var missing error
	if !strings.ContainsAny(name, `/\`) {
		files, err := models.Weights(name)
		if err == nil {
			return weights.Read(files, name)
		}
		if !errors.Is(err, models.ErrNoWeights) {
			return nil, err
		}
		missing = err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return nil, hinted{fmt.Errorf("%s: no such folder, and %w", name, missing), "\"cerasum version\" lists the shipped weights"}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, hinted{fmt.Errorf("%s is not a folder", name), "weights are a folder with " + weights.ConfigFile + " and " + weights.TensorsFile}
	}
	return weights.Read(os.DirFS(name), name)
}

// check refuses an encoder that the weights were not trained for.
func (w namedWeights) check(m *encoder.Model) error {
	err := w.CheckEncoder(m.Name(), m.Fingerprint())
	if err == nil && w.Config.Dimensions != m.Dimensions() {
		err = fmt.Errorf("%w: want %d dimensions, got %d from %q", weights.ErrEncoder, w.Config.Dimensions, m.Dimensions(), m.Name())
	}
	if err != nil {
		return usage(hinted{fmt.Errorf("--weights %s: %w", w.name, err), "name the encoder that they were trained for with --encoder"})
	}
	return nil
}

// fingerprint returns the SHA-256 of the weights in hexadecimal.
func fingerprint(w *centroid.Weights[float32]) string {
	h := sha256.New()
	// A hash never fails.
	_ = binary.Write(h, binary.LittleEndian, w.Data)
	return hex.EncodeToString(h.Sum(nil))
}
