package weights

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/internal/weights/safetensors"
)

// folder is a folder in memory, to write to and read from.
type folder struct{ fstest.MapFS }

type file struct {
	bytes.Buffer
	to   fstest.MapFS
	name string
}

func (f *file) Close() error {
	f.to[f.name] = &fstest.MapFile{Data: slices.Clone(f.Bytes())}
	return nil
}

func (f folder) create(name string) (io.WriteCloser, error) {
	return &file{to: f.MapFS, name: name}, nil
}

func some(dimensions, positions int, interpolation bool) *centroid.Weights[float32] {
	w := centroid.NewWeights[float32](dimensions, positions, interpolation)
	for i := range w.Data {
		w.Data[i] = float32(math.Sin(float64(i)))
	}
	return w
}

func written(t testing.TB, w *centroid.Weights[float32], from Origin) folder {
	t.Helper()
	f := folder{fstest.MapFS{}}
	if err := Write(w, from, f.create); err != nil {
		t.Fatal(err)
	}
	return f
}

const someSHA = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestWrittenIsRead(t *testing.T) {
	for _, interpolation := range []bool{false, true} {
		w := some(5, 3, interpolation)
		from := Origin{Encoder: "encoder-1", EncoderSHA256: someSHA, Licence: "CC0", Free: interpolation, Corpora: []string{"stories, CC0"}}
		m, err := Read(written(t, w, from), "folder")
		if err != nil {
			t.Fatal(err)
		}
		if want := (Config{5, 3, interpolation, from}); !reflect.DeepEqual(m.Config, want) {
			t.Errorf("config %+v, want %+v", m.Config, want)
		}
		if !slices.Equal(m.Data, w.Data) || m.Weights.Interpolation != interpolation {
			t.Error("other numbers than written")
		}
	}
}

func TestCheckEncoder(t *testing.T) {
	other := strings.Repeat("f", 64)
	for _, c := range []struct {
		config    Config
		name, sha string
		want      []string // in the error; nil: none
	}{
		{Config{Origin: Origin{Encoder: "a", EncoderSHA256: someSHA}}, "a", someSHA, nil},
		{Config{Origin: Origin{Encoder: "a", EncoderSHA256: someSHA}}, "a", "", nil},
		{Config{Origin: Origin{Encoder: "a"}}, "a", other, nil},
		{Config{Origin: Origin{}}, "b", other, nil},
		{Config{Origin: Origin{Encoder: "a"}}, "b", "", []string{`"a"`, `"b"`}},
		{Config{Origin: Origin{Encoder: "a", EncoderSHA256: someSHA}}, "a", other, []string{someSHA, other, `"a"`}},
	} {
		err := c.config.CheckEncoder(c.name, c.sha)
		if (err != nil) != (c.want != nil) || err != nil && !errors.Is(err, ErrEncoder) {
			t.Errorf("%+v: %v", c, err)
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v: does not name %s", err, w)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	good := written(t, some(2, 1, false), Origin{Encoder: "e"})
	tensors := good.MapFS[TensorsFile].Data
	// rewritten is the good file after a change of its tensors.
	rewritten := func(change func(list []safetensors.Named) []safetensors.Named) []byte {
		var list []safetensors.Named
		some(2, 1, false).Each(func(t centroid.Tensor, values []float32) {
			list = append(list, safetensors.Named{Name: t.Name, Shape: t.Shape, Data: values})
		})
		var b bytes.Buffer
		if err := safetensors.Write(&b, change(list)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	half := bytes.Replace(tensors, []byte(`"F32"`), []byte(`"I32"`), 1)
	const rest = `"positions": 1, "interpolation": false, "encoder": "e"}`
	for name, c := range map[string]struct {
		config  string // empty: the good one; "-": none
		tensors []byte
		want    string
	}{
		"no config":        {"-", tensors, "folder/config.json: file does not exist"},
		"invalid JSON":     {"{", tensors, "folder/config.json: bad weights: want a JSON object"},
		"not an object":    {"[1]", tensors, "folder/config.json: bad weights: want a JSON object"},
		"null":             {"null", tensors, "dimensions: missing"},
		"unknown field":    {`{"dimensions": 2, "layers": 3, ` + rest, tensors, "folder/config.json: bad weights: layers: unknown field"},
		"other case":       {`{"Dimensions": 2, ` + rest, tensors, "Dimensions: unknown field"},
		"no dimensions":    {`{` + rest, tensors, "dimensions: missing"},
		"null dimensions":  {`{"dimensions": null, ` + rest, tensors, "dimensions: want an integer, got null"},
		"half a dimension": {`{"dimensions": 1.5, ` + rest, tensors, "dimensions: want an integer, got 1.5"},
		"text":             {`{"dimensions": "2", ` + rest, tensors, `dimensions: want an integer, got "2"`},
		"no dimension":     {`{"dimensions": 0, ` + rest, tensors, "dimensions: want 1 to 16384, got 0"},
		"huge":             {`{"dimensions": 99999, ` + rest, tensors, "dimensions: want 1 to 16384, got 99999"},
		"no positions":     {`{"dimensions": 2, "positions": 0, "interpolation": false, "encoder": ""}`, tensors, "positions: want 1 to 65536, got 0"},
		"no encoder":       {`{"dimensions": 2, "positions": 1, "interpolation": false}`, tensors, "encoder: missing"},
		"bad sha":          {`{"dimensions": 2, "encoder_sha256": "ab", ` + rest, tensors, `encoder_sha256: want 64`},
		"free of nothing":  {`{"dimensions": 2, "free": true, "licence": "CC0", ` + rest, tensors, "free requires licence and corpora"},
		"a corpus alone":   {`{"dimensions": 2, "corpora": "a, CC0", ` + rest, tensors, "corpora: want an array of strings"},
		"other dimensions": {`{"dimensions": 3, ` + rest, tensors, `folder/model.safetensors: bad weights: tensor "input_norm.gain": want the shape [3] by config.json, got [2]`},
		"other positions":  {`{"dimensions": 2, "positions": 4, "interpolation": false, "encoder": "e"}`, tensors, `tensor "position_embeddings": want the shape [5 2] by config.json, got [2 2]`},
		"CeRA, not CeRAI":  {`{"dimensions": 2, "positions": 1, "interpolation": true, "encoder": "e"}`, tensors, `missing tensor "interpolation.hidden.weight"`},
		"no tensors":       {"", nil, "folder/model.safetensors: file does not exist"},
		"cut off":          {"", tensors[:len(tensors)-1], "offsets"},
		"no header":        {"", tensors[:4], "too short"},
		"header too long":  {"", binary.LittleEndian.AppendUint64(nil, 1<<63), "header length"},
		"another type":     {"", half, `dtype: want F64, F32, F16 or BF16, got "I32"`},
		"a tensor more": {"", rewritten(func(l []safetensors.Named) []safetensors.Named {
			return append(l, safetensors.Named{Name: "more", Shape: []int{1}, Data: []float32{1}})
		}), `unknown tensor "more"`},
		"a tensor less":      {"", rewritten(func(l []safetensors.Named) []safetensors.Named { return l[1:] }), `missing tensor "input_norm.gain"`},
		"not a number":       {"", rewritten(func(l []safetensors.Named) []safetensors.Named { l[1].Data[1] = float32(math.NaN()); return l }), `tensor "input_norm.bias": number 1 is NaN`},
		"another shape":      {"", rewritten(func(l []safetensors.Named) []safetensors.Named { l[3].Shape = []int{4, 2}; return l }), `tensor "attention.hidden.weight": want the shape [2 4] by config.json, got [4 2]`},
		"half the precision": {"", binaryHalf(), `tensor "input_norm.gain": want F32, got F16`},
	} {
		files := fstest.MapFS{}
		switch c.config {
		case "-":
		case "":
			files[ConfigFile] = good.MapFS[ConfigFile]
		default:
			files[ConfigFile] = &fstest.MapFile{Data: []byte(c.config)}
		}
		if c.tensors != nil {
			files[TensorsFile] = &fstest.MapFile{Data: c.tensors}
		}
		m, err := Read(files, "folder")
		switch {
		case err == nil:
			t.Errorf("%s: read as %+v", name, m.Config)
		case !strings.HasPrefix(err.Error(), "folder/") || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %q does not say %q", name, err, c.want)
		case !errors.Is(err, ErrWeights) && !errors.Is(err, fs.ErrNotExist):
			t.Errorf("%s: %v is none of the errors of the package", name, err)
		}
	}
}

// binaryHalf is a file with one tensor of halves.
func binaryHalf() []byte {
	header := `{"input_norm.gain":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}`
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), 0, 0x3c, 0, 0x3c)
}

func TestWriteRefusesABadFingerprint(t *testing.T) {
	if err := Write(some(1, 1, false), Origin{EncoderSHA256: "xyz"}, folder{fstest.MapFS{}}.create); !errors.Is(err, ErrWeights) {
		t.Error(err)
	}
}

// FuzzRead: whatever the files hold, an error or weights that are written and
// read again as they are.
func FuzzRead(f *testing.F) {
	for _, interpolation := range []bool{false, true} {
		good := written(f, some(2, 1, interpolation), Origin{Encoder: "e", EncoderSHA256: someSHA, Licence: "CC0", Free: true, Corpora: []string{"a, CC0"}})
		f.Add(good.MapFS[ConfigFile].Data, good.MapFS[TensorsFile].Data)
	}
	f.Add([]byte(`{"dimensions":16384,"positions":65536,"interpolation":true,"encoder":""}`), binaryHalf())
	f.Fuzz(func(t *testing.T, config, tensors []byte) {
		m, err := Read(fstest.MapFS{ConfigFile: {Data: config}, TensorsFile: {Data: tensors}}, "folder")
		if err != nil {
			return
		}
		again, err := Read(written(t, m.Weights, m.Origin), "folder")
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again.Config, m.Config) || !slices.Equal(again.Data, m.Data) {
			t.Error("not the same again")
		}
	})
}
