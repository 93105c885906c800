package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// judgeGo reads the JSON of govulncheck. It ends with 0 whatever it found, and
// with more only if it could not look.
func judgeGo(o outcome) verdict {
	if o.code != 0 {
		// So it words every failure of a request to the database, and no other.
		if _, reason, ok := strings.Cut(string(o.stderr), "fetching vulnerabilities: "); ok && o.code > 0 {
			reason, _, _ = strings.Cut(reason, "\n")
			return verdict{away: reason}
		}
		return verdict{trouble: fmt.Errorf("govulncheck ended with %d: %s", o.code, lastLine(o.stderr))}
	}
	type frame struct{ Module, Version, Package, Function, Receiver string }
	var v verdict
	asked := false
	summaries := map[string]string{}
	traces := map[string]frame{} // of each vulnerability the deepest that is known: called, imported, required
	for d := json.NewDecoder(bytes.NewReader(o.stdout)); ; {
		var message struct {
			Config *struct{ Scanner string }
			OSV    *struct{ ID, Summary string }
			// Trace begins with the place of the vulnerability.
			Finding *struct {
				OSV          string
				FixedVersion string `json:"fixed_version"`
				Trace        []frame
			}
		}
		if err := d.Decode(&message); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return verdict{trouble: fmt.Errorf("govulncheck's answer: %w", err)}
		}
		asked = asked || message.Config != nil
		if message.OSV != nil {
			summaries[message.OSV.ID] = message.OSV.Summary
		}
		if f := message.Finding; f != nil {
			if len(f.Trace) == 0 {
				return verdict{trouble: fmt.Errorf("govulncheck's answer: %s is nowhere", f.OSV)}
			}
			was := traces[f.OSV]
			if was.Module == "" || was.Package == "" && f.Trace[0].Package != "" || f.Trace[0].Function != "" {
				traces[f.OSV] = f.Trace[0]
			}
		}
	}
	if !asked {
		return verdict{trouble: errors.New("govulncheck gave no answer")}
	}
	for _, id := range slices.Sorted(maps.Keys(traces)) {
		at := traces[id]
		where := at.Module + "@" + at.Version
		switch {
		case at.Function != "":
			if at.Receiver != "" {
				at.Function = at.Receiver + "." + at.Function
			}
			v.found = append(v.found, fmt.Sprintf("%s: %s: %s, whose %s.%s is called", id, summaries[id], where, at.Package, at.Function))
		case at.Package != "":
			v.told = append(v.told, fmt.Sprintf("%s: %s: %s, whose %s is imported, but nothing of it is called that is concerned", id, summaries[id], where, at.Package))
		default:
			v.told = append(v.told, fmt.Sprintf("%s: %s: %s, which is required, but nothing of it is imported that is concerned", id, summaries[id], where))
		}
	}
	return v
}

var severities = []string{"info", "low", "moderate", "high", "critical"}

// judgeNPM reads the JSON of npm audit, which ends with 1 for findings and for
// failures alike. Findings of at least a severity count.
func judgeNPM(least string) func(outcome) verdict {
	return func(o outcome) verdict {
		var report struct {
			Version         int `json:"auditReportVersion"`
			Vulnerabilities map[string]struct {
				Severity, Range string
				// Via holds advisories, as objects, and packages that bring them, as strings.
				Via []json.RawMessage
			}
			Message    string
			StatusCode int
			Error      struct{ Code, Summary string }
		}
		if err := json.Unmarshal(o.stdout, &report); err != nil {
			return verdict{trouble: fmt.Errorf("npm ended with %d and without JSON (%w): %s", o.code, err, lastLine(o.stderr))}
		}
		if report.Version == 0 {
			// 400 is the database that was reached and does not understand.
			if report.Error.Code == "" && report.StatusCode != 400 && bytes.Contains(o.stderr, []byte("audit endpoint returned an error")) {
				return verdict{away: report.Message}
			}
			return verdict{trouble: fmt.Errorf("npm ended with %d: %s", o.code, strings.TrimSpace(strings.Join([]string{report.Error.Code, report.Error.Summary, report.Message}, " ")))}
		}
		if report.Version != 2 {
			return verdict{trouble: fmt.Errorf("npm's report has version %d, want 2", report.Version)}
		}
		var v verdict
		for _, name := range slices.Sorted(maps.Keys(report.Vulnerabilities)) {
			p := report.Vulnerabilities[name]
			var titles []string
			for _, raw := range p.Via {
				var advisory struct{ Title, URL string }
				if json.Unmarshal(raw, &advisory) == nil {
					titles = append(titles, strings.TrimSpace(advisory.Title+" "+advisory.URL))
				}
			}
			if len(titles) == 0 {
				continue // one that brings another of the list
			}
			line := fmt.Sprintf("%s %s (%s): %s", name, p.Range, p.Severity, strings.Join(titles, "; "))
			switch level := slices.Index(severities, p.Severity); {
			case level < 0:
				return verdict{trouble: fmt.Errorf("npm's report: %s has severity %q", name, p.Severity)}
			case level >= slices.Index(severities, least):
				v.found = append(v.found, line)
			default:
				v.told = append(v.told, line)
			}
		}
		if o.code != 0 && len(v.found)+len(v.told) == 0 {
			return verdict{trouble: fmt.Errorf("npm ended with %d, and its report has nothing: %s", o.code, lastLine(o.stderr))}
		}
		return v
	}
}
