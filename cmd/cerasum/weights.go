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

// namedWeights are weights and what they are called.
type namedWeights struct {
	name string
	// optional: the user named neither them nor their method.
	optional bool
	*weights.Model
}

// weightsFlags are those of the commands whose methods go by weights.
type weightsFlags struct {
	names   []string // as --weights has them
	licence string
}

func (f *weightsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.names, "weights", "w", nil, "what methods cera and cerai estimate with: a folder that \"cerasum train centroid\" wrote, or a name that \"cerasum models list\" shows (default: the shipped ones of the method)")
	flags.StringVar(&f.licence, "licence", "", "free: use only what learned from corpora under free licences (default: any)")
	var names []string
	// Without the list there is only less to complete.
	list, _ := models.AllWeights()
	for _, w := range list {
		names = append(names, w.Name)
	}
	complete(cmd, "weights", names...)
	complete(cmd, "licence", core.LicenceFree)
}

// weightsOf are the methods that go by weights, by the interpolation of these.
var weightsOf = map[bool]string{false: "cera", true: "cerai"}

// load opens the weights for each of the methods that wants some, by the
// method's name. optional methods go without where there are none.
func (f *weightsFlags) load(methods []string, optional bool) (map[string]namedWeights, error) {
	if f.licence != "" {
		if _, err := oneOf("licence", f.licence, []string{core.LicenceFree}); err != nil {
			return nil, err
		}
	}
	loaded := map[string]namedWeights{}
	for _, name := range f.names {
		m, err := findWeights(name)
		if err != nil {
			return nil, err
		}
		method := weightsOf[m.Config.Interpolation]
		switch other, twice := loaded[method]; {
		case !slices.Contains(methods, method):
			return nil, usage(hinted{fmt.Errorf("--weights %s: they are for method %s", name, method), "choose it with --method, or other weights"})
		case twice:
			return nil, usage(fmt.Errorf("--weights %s: method %s has those of %s already", name, method, other.name))
		case f.licence == core.LicenceFree && !m.Free:
			return nil, usage(fmt.Errorf("--licence free: the weights %s do not say that they learned from corpora under free licences alone", name))
		}
		loaded[method] = namedWeights{name, false, m}
	}
	for _, method := range methods {
		if _, given := loaded[method]; given || weightUse(method) != core.WeightsRequired {
			continue
		}
		name, err := models.DefaultWeights(method, f.licence)
		if errors.Is(err, models.ErrNoWeights) && optional {
			continue
		}
		if err != nil {
			return nil, hinted{err, "name a folder with --weights; \"cerasum train centroid\" makes one"}
		}
		m, err := findWeights(name)
		if err != nil {
			return nil, err
		}
		loaded[method] = namedWeights{name, optional, m}
	}
	return loaded, nil
}

// weightUse is what a method makes of weights.
func weightUse(method string) core.WeightUse {
	for _, m := range core.Methods() {
		if m.Name == method {
			return m.Weights
		}
	}
	return core.WeightsNone
}

// findWeights reads shipped weights, or those of a folder.
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
		return nil, hinted{fmt.Errorf("%s: no such folder, and %w", name, missing), "\"cerasum models list\" shows the shipped weights"}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, hinted{fmt.Errorf("%s is no folder", name), "weights are a folder of " + weights.ConfigFile + " and " + weights.TensorsFile}
	}
	return weights.Read(os.DirFS(name), name)
}

// check refuses an encoder that the weights were not trained for.
func (w namedWeights) check(m *encoder.Model) error {
	err := w.CheckEncoder(m.Name(), m.Fingerprint())
	if err == nil && w.Config.Dimensions != m.Dimensions() {
		err = fmt.Errorf("%w: they want %d dimensions, those of %q have %d", weights.ErrEncoder, w.Config.Dimensions, m.Name(), m.Dimensions())
	}
	if err != nil {
		return usage(hinted{fmt.Errorf("--weights %s: %w", w.name, err), "name the encoder that they were trained for with --encoder"})
	}
	return nil
}

// fingerprint is a SHA-256 of the numbers, in hexadecimal.
func fingerprint(w *centroid.Weights[float32]) string {
	h := sha256.New()
	// A hash takes all that is written.
	_ = binary.Write(h, binary.LittleEndian, w.Data)
	return hex.EncodeToString(h.Sum(nil))
}
