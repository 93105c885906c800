package legible

// Color is red, green and blue, 0 to 255, and opacity, 0 to 1.
type Color [4]float64

// MinOpacity is that of letters that can be read.
const MinOpacity = minOpacity

// Distinct reports whether letters of one colour can be told from the other.
func Distinct(ink, ground Color) bool {
	return distinct(color{ink[0], ink[1], ink[2], ink[3]}, color{ground[0], ground[1], ground[2], ground[3]})
}
