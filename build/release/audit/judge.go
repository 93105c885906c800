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

// judgeGo reads the JSON of govulncheck, which exits with 0 whatever it finds, and
// otherwise only if it failed.
func judgeGo(o outcome) verdict {
	if o.code != 0 {
		// govulncheck reports failed requests to the database with this prefix only.
		if _, reason, ok := strings.Cut(string(o.stderr), "fetching vulnerabilities: "); ok && o.code > 0 {
			reason, _, _ = strings.Cut(reason, "\n")
			return verdict{away: reason}
		}
		return verdict{trouble: fmt.Errorf("govulncheck: exit code %d: %s", o.code, lastLine(o.stderr))}
	}
	type frame struct{ Module, Version, Package, Function, Receiver string }
	var v verdict
	asked := false
	summaries := map[string]string{}
	traces := map[string]frame{} // deepest known trace per vulnerability: called, imported, required
	for d := json.NewDecoder(bytes.NewReader(o.stdout)); ; {
		var message struct {
			Config *struct{ Scanner string }
			OSV    *struct{ ID, Summary string }
			// Trace starts at the vulnerability.
			Finding *struct {
				OSV          string
				FixedVersion string `json:"fixed_version"`
				Trace        []frame
			}
		}
		if err := d.Decode(&message); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return verdict{trouble: fmt.Errorf("govulncheck output: %w", err)}
		}
		asked = asked || message.Config != nil
		if message.OSV != nil {
			summaries[message.OSV.ID] = message.OSV.Summary
		}
		if f := message.Finding; f != nil {
			if len(f.Trace) == 0 {
				return verdict{trouble: fmt.Errorf("govulncheck output: %s without a trace", f.OSV)}
			}
			was := traces[f.OSV]
			if was.Module == "" || was.Package == "" && f.Trace[0].Package != "" || f.Trace[0].Function != "" {
				traces[f.OSV] = f.Trace[0]
			}
		}
	}
	if !asked {
		return verdict{trouble: errors.New("govulncheck: no output")}
	}
	for _, id := range slices.Sorted(maps.Keys(traces)) {
		at := traces[id]
		where := at.Module + "@" + at.Version
		switch {
		case at.Function != "":
			if at.Receiver != "" {
				at.Function = at.Receiver + "." + at.Function
			}
			v.found = append(v.found, fmt.Sprintf("%s: %s: %s: %s.%s is called", id, summaries[id], where, at.Package, at.Function))
		case at.Package != "":
			v.notes = append(v.notes, fmt.Sprintf("%s: %s: %s: %s is imported, but no vulnerable function is called", id, summaries[id], where, at.Package))
		default:
			v.notes = append(v.notes, fmt.Sprintf("%s: %s: %s: required, but no vulnerable package is imported", id, summaries[id], where))
		}
	}
	return v
}

var severities = []string{"info", "low", "moderate", "high", "critical"}

// judgeNPM reads the JSON of npm audit, which exits with 1 for findings and failures
// alike. Findings of at least the given severity count.
func judgeNPM(least string) func(outcome) verdict {
	return func(o outcome) verdict {
		var report struct {
			Version         int `json:"auditReportVersion"`
			Vulnerabilities map[string]struct {
				Severity, Range string
				// Via holds advisories, as objects, and dependent packages, as strings.
				Via []json.RawMessage
			}
			Message    string
			StatusCode int
			Error      struct{ Code, Summary string }
		}
		if err := json.Unmarshal(o.stdout, &report); err != nil {
			return verdict{trouble: fmt.Errorf("npm: exit code %d without JSON (%w): %s", o.code, err, lastLine(o.stderr))}
		}
		if report.Version == 0 {
			// 400 means that the database was reached but rejected the request.
			if report.Error.Code == "" && report.StatusCode != 400 && bytes.Contains(o.stderr, []byte("audit endpoint returned an error")) {
				return verdict{away: report.Message}
			}
			return verdict{trouble: fmt.Errorf("npm: exit code %d: %s", o.code, strings.TrimSpace(strings.Join([]string{report.Error.Code, report.Error.Summary, report.Message}, " ")))}
		}
		if report.Version != 2 {
			return verdict{trouble: fmt.Errorf("npm report: want version 2, got %d", report.Version)}
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
				continue // depends on another one of the list
			}
			line := fmt.Sprintf("%s %s (%s): %s", name, p.Range, p.Severity, strings.Join(titles, "; "))
			switch level := slices.Index(severities, p.Severity); {
			case level < 0:
				return verdict{trouble: fmt.Errorf("npm report: %s: unknown severity %q", name, p.Severity)}
			case level >= slices.Index(severities, least):
				v.found = append(v.found, line)
			default:
				v.notes = append(v.notes, line)
			}
		}
		if o.code != 0 && len(v.found)+len(v.notes) == 0 {
			return verdict{trouble: fmt.Errorf("npm: exit code %d with an empty report: %s", o.code, lastLine(o.stderr))}
		}
		return v
	}
}
