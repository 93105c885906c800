// Onnxruntime puts the native onnxruntime library beside the command line program, which
// runs the encoder several times as fast with it:
//
//	go run ./build/onnxruntime -out build/out/bin -cache build/out/tools
//
// The library is in the wheels of PyPI's onnxruntime, of which one has 14 to 24 MB. (npm's
// onnxruntime-node holds the libraries of all systems, 114 MB, and its install script may
// fetch CUDA's, too.) It is fetched once. Without a network the program is left without it.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// version is the onnxruntime of onnxruntime-web in js/package.json. It has to know the API
// version of github.com/yalue/onnxruntime_go: any that is as new or newer does.
const version = "1.30.0"

// wheel is a file of PyPI with a library in it.
type wheel struct {
	url, sha256   string
	inside, named string // the library in the wheel, and as cmd/cerasum looks for it
}

const packages = "https://files.pythonhosted.org/packages/"

var wheels = map[string]wheel{
	"linux/amd64": {
		packages + "f1/a1/ede48ab5dc54907a2999362777f541e132639fb06628ded1932058aa8a36/onnxruntime-1.30.0-cp313-cp313-manylinux_2_28_x86_64.whl",
		"86f940afc801ea9681a4da8af84fbe95e1d9ea7d80903952cc1bfad54faad38f",
		"libonnxruntime.so." + version, "libonnxruntime.so",
	},
	"linux/arm64": {
		packages + "89/06/e603c71f43f4fe3fd156a053af79cbed6e27a2c649f0988a67d97fedd39f/onnxruntime-1.30.0-cp313-cp313-manylinux_2_28_aarch64.whl",
		"5327cf6aa15a02bad805fac8bd6882a62571e8b72f6f2938a8f37e6bd1966ce9",
		"libonnxruntime.so." + version, "libonnxruntime.so",
	},
	"darwin/arm64": {
		packages + "f0/75/508454c5d01f31641dabc597fe559594c931a520a2673031179319d0afd8/onnxruntime-1.30.0-cp313-cp313-macosx_14_0_arm64.whl",
		"05e4fc41711d1f4abd19a9124b5be7a65a506cb2670a7f14b16162ef13c58134",
		"libonnxruntime." + version + ".dylib", "libonnxruntime.dylib",
	},
	"windows/amd64": {
		packages + "3c/dd/c57c529dbc6dd55eca24b12cfbeab1b6a690de72083824eca689085f55b0/onnxruntime-1.30.0-cp313-cp313-win_amd64.whl",
		"4b63041bd623a9a9ac5e353948436c6fa7f43edd12d6b4a4ebc340bca959ba93",
		"onnxruntime.dll", "onnxruntime.dll",
	},
	"windows/arm64": {
		packages + "11/2f/ef00b45b911e7f2115273a24ed1b43e73c8c6c9ec17f9bfa13f8492581f8/onnxruntime-1.30.0-cp313-cp313-win_arm64.whl",
		"c389b6887fc95e0fcb80e89b156bc2cb18e662c29df55e9326fe64140e7d7b4f",
		"onnxruntime.dll", "onnxruntime.dll",
	},
}

// errFetch reports that the network has not given the file.
var errFetch = errors.New("cannot be fetched")

func main() {
	out := flag.String("out", "build/out/bin", "folder of the program")
	cache := flag.String("cache", "build/out/tools", "folder for what was fetched")
	flag.Parse()
	platform := runtime.GOOS + "/" + runtime.GOARCH
	w, ok := wheels[platform]
	if !ok {
		fmt.Fprintf(os.Stderr, "no onnxruntime for %s: the encoder runs in Go\n", platform)
		return
	}
	err := place(w, *out, filepath.Join(*cache, "onnxruntime-"+version))
	if errors.Is(err, errFetch) {
		fmt.Fprintf(os.Stderr, "%v: the encoder runs in Go, several times slower\n", err)
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "onnxruntime:", err)
		os.Exit(1)
	}
}

// place copies the library to the folder out, from the cache if it is there.
func place(w wheel, out, cache string) error {
	kept := filepath.Join(cache, w.named)
	library, err := os.ReadFile(kept)
	if err != nil {
		if library, err = fetch(w); err != nil {
			return err
		}
		if err := replace(kept, library); err != nil {
			return err
		}
	}
	to := filepath.Join(out, w.named)
	if have, err := os.ReadFile(to); err == nil && bytes.Equal(have, library) {
		return nil // it may be in use
	}
	return replace(to, library)
}

// fetch returns the library of a wheel.
func fetch(w wheel) ([]byte, error) {
	client := http.Client{Timeout: 5 * time.Minute}
	answer, err := client.Get(w.url)
	if err != nil {
		return nil, fmt.Errorf("onnxruntime %s %w: %w", version, errFetch, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("onnxruntime %s %w: %s: %s", version, errFetch, w.url, answer.Status)
	}
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("onnxruntime %s %w: %w", version, errFetch, err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != w.sha256 {
		return nil, fmt.Errorf("%s: want SHA-256 %s, got %x", w.url, w.sha256, sum)
	}
	files, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	f, err := files.Open("onnxruntime/capi/" + w.inside)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// replace writes a file under another name first, so that no half of it is ever run.
func replace(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o777); err != nil {
		return err
	}
	return os.Rename(part, name)
}
