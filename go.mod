module github.com/cerasum/cerasum

go 1.26

require (
	codeberg.org/readeck/go-readability/v2 v2.1.1
	github.com/blevesearch/snowballstem v0.9.0
	github.com/clipperhouse/uax29/v2 v2.7.0
	github.com/spf13/cobra v1.10.2
	github.com/wlynxg/chardet v1.0.5
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
	golang.org/x/text v0.43.0
	gonum.org/v1/gonum v0.17.0
)
