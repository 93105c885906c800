package main

import (
	"slices"
	"strings"
	"testing"
)

// The shortened output of govulncheck v1.8.0, which reports a called vulnerability three
// times, and one that is only required once.
const (
	goConfig   = `{"config": {"protocol_version": "v1.0.0", "scanner_name": "govulncheck", "db": "https://vuln.go.dev", "scan_level": "symbol"}}` + "\n"
	goSBOM     = `{"SBOM": {"go_version": "go1.26.8", "modules": [{"path": "golang.org/x/text", "version": "v0.43.0"}]}}` + "\n"
	goRequired = `{"osv": {"id": "GO-2099-0002", "summary": "Two"}}` + "\n" + `{"finding": {"osv": "GO-2099-0002", "trace": [{"module": "golang.org/x/net", "version": "v0.62.0"}]}}` + "\n"
	goImported = `{"osv": {"id": "GO-2099-0001", "summary": "One"}}
{"finding": {"osv": "GO-2099-0001", "fixed_version": "v0.99.0", "trace": [{"module": "golang.org/x/text", "version": "v0.43.0"}]}}
{"finding": {"osv": "GO-2099-0001", "fixed_version": "v0.99.0", "trace": [{"module": "golang.org/x/text", "version": "v0.43.0", "package": "golang.org/x/text/width"}]}}
`
	goCalled = `{"finding": {"osv": "GO-2099-0001", "fixed_version": "v0.99.0", "trace": [{"module": "golang.org/x/text", "version": "v0.43.0", "package": "golang.org/x/text/width", "function": "Lookup", "receiver": "Properties"}, {"module": "github.com/cerasum/cerasum", "package": "github.com/cerasum/cerasum/cmd/cerasum/internal/terminal", "function": "columns"}]}}` + "\n"
)

// What npm 11 writes, shortened.
const (
	npmClean  = `{"auditReportVersion": 2, "vulnerabilities": {}, "metadata": {"vulnerabilities": {"total": 0}}}`
	npmFound  = `{"auditReportVersion": 2, "vulnerabilities": {"a": {"name": "a", "severity": "high", "via": ["b"], "range": "*"}, "b": {"name": "b", "severity": "high", "via": [{"source": 1, "name": "b", "title": "Bad", "url": "https://example.org/1", "severity": "high"}], "range": "<2.0.0"}}}`
	npmLow    = `{"auditReportVersion": 2, "vulnerabilities": {"b": {"name": "b", "severity": "low", "via": [{"title": "Meh", "url": "https://example.org/2"}], "range": "<=1.0.0"}}}`
	npmOddity = `{"auditReportVersion": 2, "vulnerabilities": {"b": {"severity": "enormous", "via": [{"title": "x"}]}}}`
	npm405    = `{"message": "405 Method Not Allowed - POST https://registry.example.org/-/npm/v1/security/advisories/bulk", "method": "POST", "statusCode": 405, "body": "", "error": {"summary": "", "detail": ""}}`
	npm400    = `{"message": "400 Bad Request - POST https://registry.example.org/-/npm/v1/security/advisories/bulk", "statusCode": 400, "error": {"summary": "", "detail": ""}}`
	npmAlone  = `{"message": "request to http://127.0.0.1:9/ failed, reason: connect ECONNREFUSED 127.0.0.1:9", "error": {"summary": "", "detail": ""}}`
	npmNoLock = `{"error": {"code": "ENOLOCK", "summary": "This command requires an existing lockfile.", "detail": "Try creating one first"}}`
	npmEnds   = "npm warn audit 405 Method Not Allowed\nnpm error audit endpoint returned an error\nnpm error A complete log of this run can be found in: …\n"
)

func TestJudge(t *testing.T) {
	for name, test := range map[string]struct {
		judge          func(outcome) verdict
		stdout, stderr string
		code           int
		want           string // the fields of the verdict and their texts
	}{
		"go: clean":             {judgeGo, goConfig + goSBOM, "", 0, ""},
		"go: called":            {judgeGo, goConfig + goImported + goCalled + goRequired, "", 0, "found GO-2099-0001: One: golang.org/x/text@v0.43.0: golang.org/x/text/width.Properties.Lookup is called; note GO-2099-0002: Two: golang.org/x/net@v0.62.0: required, but no vulnerable package is imported"},
		"go: called, then less": {judgeGo, goConfig + goCalled + goImported, "", 0, "found GO-2099-0001: One: golang.org/x/text@v0.43.0: golang.org/x/text/width.Properties.Lookup is called"},
		"go: imported":          {judgeGo, goConfig + goImported, "", 0, "note GO-2099-0001: One: golang.org/x/text@v0.43.0: golang.org/x/text/width is imported, but no vulnerable function is called"},
		"go: no such host":      {judgeGo, goConfig + goSBOM, "govulncheck: fetching vulnerabilities: Get \"https://vuln.go.dev/index/modules.json.gz\": dial tcp: lookup vuln.go.dev: no such host\n", 1, "away Get \"https://vuln.go.dev/index/modules.json.gz\": dial tcp: lookup vuln.go.dev: no such host"},
		"go: does not compile":  {judgeGo, goConfig, "govulncheck: loading packages:\nThere are errors with the provided package patterns:\n", 1, "trouble govulncheck: exit code 1: There are errors with the provided package patterns:"},
		"go: not installed":     {judgeGo, "", "fork/exec govulncheck: no such file or directory", -1, "trouble govulncheck: exit code -1: fork/exec govulncheck: no such file or directory"},
		"go: silent":            {judgeGo, "", "", 0, "trouble govulncheck: no output"},
		"go: cut":               {judgeGo, goConfig + goImported[:40], "", 0, "trouble govulncheck output: unexpected EOF"},
		"go: nowhere":           {judgeGo, goConfig + `{"finding": {"osv": "GO-1"}}`, "", 0, "trouble govulncheck output: GO-1 without a trace"},

		"npm: clean":             {judgeNPM("info"), npmClean, "", 0, ""},
		"npm: found":             {judgeNPM("moderate"), npmFound, "", 1, "found b <2.0.0 (high): Bad https://example.org/1"},
		"npm: low counts":        {judgeNPM("info"), npmLow, "", 1, "found b <=1.0.0 (low): Meh https://example.org/2"},
		"npm: low does not":      {judgeNPM("moderate"), npmLow, "", 1, "note b <=1.0.0 (low): Meh https://example.org/2"},
		"npm: refused":           {judgeNPM("info"), npm405, npmEnds, 1, "away 405 Method Not Allowed - POST https://registry.example.org/-/npm/v1/security/advisories/bulk"},
		"npm: nobody there":      {judgeNPM("info"), npmAlone, npmEnds, 1, "away request to http://127.0.0.1:9/ failed, reason: connect ECONNREFUSED 127.0.0.1:9"},
		"npm: not understood":    {judgeNPM("info"), npm400, npmEnds, 1, "trouble npm: exit code 1: 400 Bad Request - POST https://registry.example.org/-/npm/v1/security/advisories/bulk"},
		"npm: no lock file":      {judgeNPM("info"), npmNoLock, "npm error code ENOLOCK\n", 1, "trouble npm: exit code 1: ENOLOCK This command requires an existing lockfile."},
		"npm: no JSON":           {judgeNPM("info"), "", "npm error Unknown command\n", 1, "trouble npm: exit code 1 without JSON (unexpected end of JSON input): npm error Unknown command"},
		"npm: a new report":      {judgeNPM("info"), `{"auditReportVersion": 3}`, "", 0, "trouble npm report: want version 2, got 3"},
		"npm: a new severity":    {judgeNPM("info"), npmOddity, "", 1, `trouble npm report: b: unknown severity "enormous"`},
		"npm: failed with none":  {judgeNPM("info"), npmClean, "npm error odd\n", 1, "trouble npm: exit code 1 with an empty report: npm error odd"},
		"npm: not even a report": {judgeNPM("info"), `{}`, "npm error code E\n", 1, "trouble npm: exit code 1:"},
	} {
		v := test.judge(outcome{[]byte(test.stdout), []byte(test.stderr), test.code})
		var got []string
		for _, f := range v.found {
			got = append(got, "found "+f)
		}
		for _, f := range v.notes {
			got = append(got, "note "+f)
		}
		if v.away != "" {
			got = append(got, "away "+v.away)
		}
		if v.trouble != nil {
			got = append(got, strings.TrimSpace("trouble "+v.trouble.Error()))
		}
		if s := strings.Join(got, "; "); s != test.want {
			t.Errorf("%s:\n  %s\nwant\n  %s", name, s, test.want)
		}
	}
}

func TestAudit(t *testing.T) {
	clean, found := outcome{[]byte(npmClean), nil, 0}, outcome{[]byte(npmFound), nil, 1}
	away, trouble := outcome{[]byte(npm405), []byte(npmEnds), 1}, outcome{nil, nil, -1}
	for _, test := range []struct {
		outcomes []outcome // of a check each, all of one database
		required bool
		good     bool
		asked    int
		says     []string
	}{
		{[]outcome{clean, clean}, true, true, 2, []string{"audit: check 0: no known vulnerabilities\n"}},
		{[]outcome{clean, found}, false, false, 2, []string{"audit: check 1: known vulnerabilities: 1\n  b <2.0.0 (high): Bad"}},
		{[]outcome{away, found}, false, true, 1, []string{
			"audit: check 0: not checked: the database is unreachable (405 Method Not Allowed",
			"audit: check 1: not checked: the database is unreachable (405 Method Not Allowed"}},
		{[]outcome{found, away}, false, false, 2, []string{"audit: check 1: not checked"}},
		{[]outcome{clean, away}, true, false, 2, []string{"audit: check 1: not checked"}},
		{[]outcome{trouble, clean}, false, false, 2, []string{"audit: check 0: failed: npm: exit code -1", "audit: check 1: no known"}},
	} {
		var list []check
		for i := range test.outcomes {
			list = append(list, check{title: "check " + string(rune('0'+i)), database: "the database", judge: judgeNPM("info")})
		}
		asked := 0
		var out strings.Builder
		good := audit(&out, list, func(c check) outcome {
			asked++
			return test.outcomes[slices.IndexFunc(list, func(d check) bool { return d.title == c.title })]
		}, test.required)
		if good != test.good || asked != test.asked {
			t.Errorf("%v after %d questions, want %v after %d:\n%s", good, asked, test.good, test.asked, &out)
		}
		for _, s := range test.says {
			if !strings.Contains(out.String(), s) {
				t.Errorf("no %q in\n%s", s, &out)
			}
		}
	}
}

// TestRun: what a program writes and how it ends arrive apart.
func TestRun(t *testing.T) {
	o := run(check{dir: ".", env: []string{"AUDIT=x"}, argv: []string{"sh", "-c", "echo out $AUDIT; echo err >&2; exit 3"}})
	if string(o.stdout) != "out x\n" || string(o.stderr) != "err\n" || o.code != 3 {
		t.Errorf("%q, %q, %d", o.stdout, o.stderr, o.code)
	}
	if o := run(check{dir: ".", argv: []string{"./no-such-program"}}); o.code != -1 || !strings.Contains(string(o.stderr), "no-such-program") {
		t.Errorf("%q, %d", o.stderr, o.code)
	}
}

// TestChecks: all that is shipped is asked about.
func TestChecks(t *testing.T) {
	var asked []string
	for _, c := range checks("govulncheck", "file:///db") {
		asked = append(asked, c.dir+" "+strings.Join(append(c.env, c.argv...), " "))
	}
	want := []string{
		". govulncheck -format json -db file:///db ./...",
		". GOOS=js GOARCH=wasm govulncheck -format json -db file:///db ./core/... ./wasm/...",
		"batch/beam govulncheck -format json -db file:///db ./...",
		". npm audit --json --omit=dev",
		". npm audit --json",
	}
	if !slices.Equal(asked, want) {
		t.Errorf("%q, want %q", asked, want)
	}
}
