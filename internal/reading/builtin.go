package reading

// BuiltIn returns the contents of a file of the repository that is compiled into the program,
// internal/reading/model.txt or internal/reading/standing.weights; "" for any other.
func BuiltIn(path string) string {
	switch path {
	case "internal/reading/model.txt":
		return modelText
	case "internal/reading/standing.weights":
		return standingWeights
	}
	return ""
}
