package legible

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// color is red, green and blue, 0 to 255, and alpha, 0 to 1. The limits of what can
// be read are those of web/common/read/legible.ts.
type color struct{ r, g, b, a float64 }

const (
	minFont    = 3 // CSS pixels: smaller letters cannot be read
	minSize    = 2 // CSS pixels: a box that shows less than this shows no letter
	minOpacity = 0.1
	maxBlur    = 0.2 // of the font: letters that are blurred by more cannot be read
	// Ratio and difference of channels: colours that are closer in both cannot be
	// told apart.
	minContrast   = 1.15
	minDifference = 40
)

// over is a colour in front of another.
func (c color) over(d color) color {
	mix := func(c, d, a float64) float64 { return c*a + d*(1-a) }
	return color{mix(c.r, d.r, c.a), mix(c.g, d.g, c.a), mix(c.b, d.b, c.a), 1}
}

func (c color) light() float64 {
	linear := func(c float64) float64 {
		if c <= 10 {
			return c / 3294.6
		}
		return math.Pow((c/255+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// distinct reports whether letters of one colour can be told from the other.
func distinct(ink, ground color) bool {
	drawn := ink.over(ground)
	if max(math.Abs(drawn.r-ground.r), math.Abs(drawn.g-ground.g), math.Abs(drawn.b-ground.b)) >= minDifference {
		return true
	}
	a, b := drawn.light(), ground.light()
	return (max(a, b)+0.05)/(min(a, b)+0.05) >= minContrast
}

// parseColor reads a colour of CSS in lower case; ok is false if it cannot be told.
func parseColor(s string) (c color, ok bool) {
	if s == "transparent" {
		return color{}, true
	}
	if named, ok := colornames.Map[s]; ok {
		return color{float64(named.R), float64(named.G), float64(named.B), 1}, true
	}
	if s == "rebeccapurple" {
		return color{102, 51, 153, 1}, true
	}
	if digits, ok := strings.CutPrefix(s, "#"); ok {
		return hexColor(digits)
	}
	if named, ok := systemColors[s]; ok {
		return hexColor(named)
	}
	name, inside := call(s)
	if name == "light-dark" {
		// The colour scheme is light; style.dropSchemed knows the others.
		light, _, _ := strings.Cut(inside, ",")
		return parseColor(strings.TrimSpace(light))
	}
	if name == "color-mix" {
		return mixed(split(inside, ','))
	}
	parts := strings.FieldsFunc(inside, func(r rune) bool { return r == ' ' || r == ',' || r == '/' || r == '\t' || r == '\n' })
	if len(parts) < 3 {
		return color{}, false
	}
	alpha := 1.0
	if len(parts) > 3 {
		if alpha, ok = ratio(parts[3], 1); !ok {
			return color{}, false
		}
	}
	// channel reads a number, or a percentage of whole.
	bad := false
	channel := func(i int, whole float64) float64 {
		v, ok := ratio(strings.TrimSuffix(parts[i], "deg"), whole)
		bad = bad || !ok
		return v
	}
	switch name {
	case "rgb", "rgba":
		c = color{channel(0, 255), channel(1, 255), channel(2, 255), alpha}
	case "hsl", "hsla":
		c = hsl(channel(0, 360), channel(1, 100)/100, channel(2, 100)/100)
	case "hwb":
		h, w, b := channel(0, 360), channel(1, 100)/100, channel(2, 100)/100
		c = hsl(h, 1, 0.5)
		for _, v := range []*float64{&c.r, &c.g, &c.b} {
			*v = *v*(1-w-b) + 255*w
		}
	case "oklab":
		c = oklab(channel(0, 1), channel(1, 0.4), channel(2, 0.4))
	case "oklch":
		l, chroma, hue := channel(0, 1), channel(1, 0.4), channel(2, 360)*math.Pi/180
		c = oklab(l, chroma*math.Cos(hue), chroma*math.Sin(hue))
	case "lab":
		c = lab(channel(0, 100), channel(1, 125), channel(2, 125))
	case "lch":
		l, chroma, hue := channel(0, 100), channel(1, 150), channel(2, 360)*math.Pi/180
		c = lab(l, chroma*math.Cos(hue), chroma*math.Sin(hue))
	default:
		return color{}, false
	}
	limit := func(v, most float64) float64 { return min(max(v, 0), most) }
	return color{limit(c.r, 255), limit(c.g, 255), limit(c.b, 255), limit(alpha, 1)}, !bad
}

// mixed returns the colour of color-mix(): ok is false if two different ones are mixed
// in another space than sRGB.
func mixed(parts []string) (c color, ok bool) {
	if len(parts) != 3 || !strings.HasPrefix(parts[0], "in ") {
		return color{}, false
	}
	var colors [2]color
	share := [2]float64{-1, -1}
	for i, part := range parts[1:] {
		for _, one := range split(part, ' ') {
			if v, isShare := ratio(one, 1); isShare && strings.HasSuffix(one, "%") {
				share[i] = v
			} else if colors[i], ok = parseColor(one); !ok {
				return color{}, false
			}
		}
	}
	switch {
	case share[0] < 0 && share[1] < 0:
		share = [2]float64{0.5, 0.5}
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] < 0:
		share[1] = 1 - share[0]
	}
	sum := share[0] + share[1]
	a, b := colors[0], colors[1]
	if sum <= 0 || a != b && strings.TrimSpace(parts[0]) != "in srgb" {
		return color{}, false
	}
	p, q := a.a*share[0]/sum, b.a*share[1]/sum
	if p+q == 0 {
		return color{}, true
	}
	return color{(a.r*p + b.r*q) / (p + q), (a.g*p + b.g*q) / (p + q), (a.b*p + b.b*q) / (p + q), (p + q) * min(sum, 1)}, true
}

// systemColors are those of browsers that differ little between systems, also by their
// older names.
var systemColors = map[string]string{
	"canvas": "ffffff", "field": "ffffff", "window": "ffffff", "menu": "ffffff", "infobackground": "ffffff", "appworkspace": "ffffff", "activecaption": "ffffff", "inactivecaption": "ffffff", "scrollbar": "ffffff",
	"canvastext": "000000", "fieldtext": "000000", "windowtext": "000000", "menutext": "000000", "infotext": "000000", "captiontext": "000000",
}

// ratio reads a number or a percentage of whole.
func ratio(s string, whole float64) (float64, bool) {
	if s == "none" {
		return 0, true
	}
	digits, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if percent {
		v *= whole / 100
	}
	return v, err == nil && !math.IsNaN(v)
}

func hexColor(digits string) (color, bool) {
	if len(digits) == 3 || len(digits) == 4 {
		var b strings.Builder
		for _, d := range digits {
			b.WriteRune(d)
			b.WriteRune(d)
		}
		digits = b.String()
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 8 {
		return color{}, false
	}
	return color{float64(v >> 24), float64(v >> 16 & 255), float64(v >> 8 & 255), float64(v&255) / 255}, true
}

func hsl(h, s, l float64) color {
	f := func(n float64) float64 {
		k := math.Mod(math.Mod(n+h/30, 12)+12, 12)
		return 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))
	}
	return color{f(0), f(8), f(4), 1}
}

// fromLinear is the colour of linear components.
func fromLinear(r, g, b float64) color {
	gamma := func(v float64) float64 {
		if v <= 0.0031308 {
			return 255 * 12.92 * v
		}
		return 255 * (1.055*math.Pow(v, 1/2.4) - 0.055)
	}
	return color{gamma(r), gamma(g), gamma(b), 1}
}

// oklab and lab convert as CSS Color 4 does.
func oklab(l, a, b float64) color {
	cube := func(v float64) float64 { return v * v * v }
	x := cube(l + 0.3963377774*a + 0.2158037573*b)
	y := cube(l - 0.1055613458*a - 0.0638541728*b)
	z := cube(l - 0.0894841775*a - 1.2914855480*b)
	return fromLinear(4.0767416621*x-3.3077115913*y+0.2309699292*z, -1.2684380046*x+2.6097574011*y-0.3413193965*z, -0.0041960863*x-0.7034186147*y+1.7076147010*z)
}

func lab(l, a, b float64) color {
	const e, k = 216.0 / 24389, 24389.0 / 27
	f := (l + 16) / 116
	back := func(f float64) float64 {
		if cube := f * f * f; cube > e {
			return cube
		}
		return (116*f - 16) / k
	}
	x, y, z := 0.96422*back(f+a/500), back(f), 0.82521*back(f-b/200)
	return fromLinear(3.1341358*x-1.6173863*y-0.4906200*z, -0.9787955*x+1.9162543*y+0.0334427*z, 0.0719553*x-0.2289768*y+1.4053860*z)
}
