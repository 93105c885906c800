package encoder

import (
	"os"
	"path/filepath"
	"runtime"
)

// ortRuntime precedes the version of onnxruntime.
const ortRuntime = "onnxruntime "

// libraries by operating system; "make cli" puts one beside the program.
var libraries = map[string]string{"linux": "libonnxruntime.so", "darwin": "libonnxruntime.dylib", "windows": "onnxruntime.dll"}

// besideProgram returns the path of the onnxruntime library in the program's folder, or "".
func besideProgram() string {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if name := libraries[runtime.GOOS]; err == nil && name != "" {
		path := filepath.Join(filepath.Dir(program), name)
		if exists(path) {
			return path
		}
	}
	return ""
}

// Runtime returns what runs the shipped encoder without Options.ORTLibrary, as
// [Model.Runtime] does. The error says why the library beside the program is not used.
func Runtime() (string, error) {
	library := besideProgram()
	if library == "" {
		return goRuntime, nil
	}
	version, err := ortVersion(library)
	if err != nil {
		return goRuntime, err
	}
	return ortRuntime + version, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
