package core

import (
	_ "embed"
	"strings"
)

//go:embed VERSION
var versionFile string

// Version is the version of the whole project, from core/VERSION.
var Version = strings.TrimSpace(versionFile)
