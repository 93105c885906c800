package house

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notInPage lists the functions of core that the page's program does not contain,
// with the reason. All others belong in the room that calls them.
var notInPage = map[string]string{
	"core.Summarize":   "one call for Go; the page keeps a session",
	"core.ParseBudget": "for flags of Go programs: the inverse of Budget.String",
	// Callers with an encoder of their own read texts; the page reads offsets.
	"core.Session.Texts":              "sentences for an encoder",
	"core.Session.ReferenceSentences": "sentences of references for an encoder",
	// Trainers compute what a session does.
	"core.Session.ReadingFeatures":  "inputs of the model of method editor",
	"core.Session.SalienceFeatures": "inputs of the networks of method salience",
	"core/centroid.NewWeights":      "weights to fill; the page is given them",
}

var typeArguments = regexp.MustCompile(`\[.*\]`)

// TestCoreIsInPage compares the functions of core with those of the page's program,
// which the linker reduces to what can be called. The table of functions in the
// program also has those that are inlined.
func TestCoreIsInPage(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here to build the page's program")
	}
	touch(t)
	program := filepath.Join(t.TempDir(), "page.wasm")
	build := exec.Command("go", "build", "-trimpath", "-o", program, "./wasm/page")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for name := range bytes.SplitSeq(content, []byte{0}) {
		if len(name) < 500 && bytes.HasPrefix(name, []byte(module+"core")) {
			// (*Session).Close and Session.Close are the same to us.
			path, _ := inside(typeArguments.ReplaceAllString(string(name), ""))
			linked[strings.NewReplacer("(*", "", ")", "").Replace(path)] = true
		}
	}
	missing := maps.Clone(notInPage)
	for name := range declaredIn(t, "core") {
		if _, known := notInPage[name]; linked[name] == known {
			t.Errorf("%s: in the page's program: %v, exception in notInPage: %v", name, linked[name], known)
		}
		delete(missing, name)
	}
	for name := range missing {
		t.Errorf("notInPage names %s, which does not exist", name)
	}
}

// declaredIn returns the functions and methods of a room: "core.Session.Close".
func declaredIn(t *testing.T, room string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, p := range list(t, "js", "wasm", "-f", `{{.ImportPath}} {{.Dir}} {{join .GoFiles " "}}`, "./"+room+"/...") {
		path, _ := inside(p[0])
		for _, file := range p[2:] {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p[1], file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "init" {
					names[strings.Join(slices.Concat([]string{path}, receiver(f), []string{f.Name.Name}), ".")] = true
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type; nothing for a function.
func receiver(f *ast.FuncDecl) []string {
	if f.Recv == nil {
		return nil
	}
	of := f.Recv.List[0].Type
	for {
		switch e := of.(type) {
		case *ast.StarExpr:
			of = e.X
		case *ast.IndexExpr: // one type parameter
			of = e.X
		case *ast.Ident:
			return []string{e.Name}
		default:
			panic("receiver of " + f.Name.Name)
		}
	}
}
