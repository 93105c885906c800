package cluster

// kindNames are the kinds' names in JSON and on the bridge.
var kindNames = [...]string{
	Paragraph: "paragraph", Heading: "heading", ListItem: "listItem", TableRow: "tableRow", Caption: "caption",
	Code: "code", BlockQuotation: "blockQuotation", Reference: "reference", Metadata: "metadata", Navigation: "navigation",
}

// String returns the kind's name, "listItem" for instance; "unknown" of none.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// KindNames lists the names of the kinds, in their order.
func KindNames() []string { return append([]string(nil), kindNames[:]...) }

// ParseKind returns the kind with a name.
func ParseKind(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}
