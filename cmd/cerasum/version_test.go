package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core"
)

func TestOrigin(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	built := func(module string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: module}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for _, test := range []struct {
		set  string
		info *debug.BuildInfo
		want string
	}{
		{hash, built("v9.9.9", "vcs.revision", "other"), "commit 0123456789ab"},
		{hash + modifiedMark, nil, "commit 0123456789ab, modified"},
		{"1a2b3c4", nil, "commit 1a2b3c4"},
		// A build in a clone: Go makes up a module version too, of less use.
		{"", built("v0.0.0-20261121104010-0123456789ab+dirty", "vcs.revision", hash, "vcs.modified", "true"), "commit 0123456789ab, modified"},
		{"", built("(devel)", "vcs.revision", hash, "vcs.modified", "false"), "commit 0123456789ab"},
		// go install ...@latest
		{"", built("v0.2.0"), "module v0.2.0"},
		{"", built("v0.0.0-20261121104010-0123456789ab"), "module v0.0.0-20261121104010-0123456789ab"},
		{"", built("(devel)", "GOOS", "linux"), "commit unknown"},
		{"", built(""), "commit unknown"},
		{"", nil, "commit unknown"},
	} {
		if got := originOf(test.set, test.info).String(); got != test.want {
			t.Errorf("%q, %v: %q, want %q", test.set, test.info, got, test.want)
		}
	}
}

func TestVersion(t *testing.T) {
	defer func(was string) { commit = was }(commit)
	commit = "0123456789abcdef" + modifiedMark
	first := "cerasum " + core.Version + " (commit 0123456789ab, modified, " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + ")\n"
	if a := cli(t, nil, "--version").want(t, exitOK); a.stdout != first {
		t.Errorf("--version: %q, want %q", a.stdout, first)
	}

	var about struct {
		Version, Commit, Module, Go, Platform, Runtime string
		Modified                                       bool
		Encoder                                        *aboutModel
		Weights                                        []aboutModel
	}
	a := cli(t, nil, "version", "--format", "json").want(t, exitOK)
	d := json.NewDecoder(strings.NewReader(a.stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(&about); err != nil {
		t.Fatalf("%v\n%s", err, a.stdout)
	}
	if about.Version != core.Version || about.Commit != "0123456789abcdef" || !about.Modified || about.Go != runtime.Version() || about.Platform != runtime.GOOS+"/"+runtime.GOARCH {
		t.Errorf("%+v", about)
	}

	text := cli(t, nil, "version").want(t, exitOK).stdout
	if !strings.HasPrefix(text, first) {
		t.Errorf("version does not begin with %q: %q", first, text)
	}
	if about.Runtime != "pure Go" || !strings.Contains(text, "\nruntime: pure Go\n") {
		t.Errorf("runtime %q: %s", about.Runtime, text)
	}
	all := about.Weights
	if about.Encoder != nil {
		all = append(all, *about.Encoder)
	}
	for _, m := range all {
		// The output describes the embedded file.
		data, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(m.File)))
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(data)
		if m.SHA256 != hex.EncodeToString(sum[:]) || m.Licence == "" {
			t.Errorf("%s: SHA-256 %s, licence %q; %s has %x", m.Name, m.SHA256, m.Licence, m.File, sum)
		}
		line := regexp.QuoteMeta(m.Name) + `, .*licence ` + regexp.QuoteMeta(m.Licence) + `.*, SHA-256 ` + m.SHA256[:12] + `\n`
		if !regexp.MustCompile(line).MatchString(text) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	// The networks of the default method are part of every program.
	if n := strings.Count(text, "method salience"); n != 2 {
		t.Errorf("%d networks of salience, want 2:\n%s", n, text)
	}
	cli(t, nil, "version", "--format", "xml").want(t, exitUsage, "xml", "text, json")
}
