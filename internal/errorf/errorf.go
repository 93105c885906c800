// Package errorf formats error messages without package fmt, which would add
// 44 kB to the 1,039 of the page's WebAssembly with brotli.
package errorf

import "strconv"

// Errorf is fmt.Errorf for the verbs %w (one wrapped error), %q and %s (strings), %d
// (ints) and %v (all of these and float64). It panics on any other verb or
// argument.
func Errorf(format string, args ...any) error {
	e := &formatted{}
	var b []byte
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b = append(b, format[i])
			continue
		}
		i++
		verb, arg := format[i], args[0]
		args = args[1:]
		if err, ok := arg.(error); ok && verb == 'w' {
			e.wrapped = err
			b = append(b, err.Error()...)
			continue
		}
		b = appendArg(b, verb, arg)
	}
	if len(args) > 0 {
		panic("errorf: more arguments than verbs in " + strconv.Quote(format))
	}
	e.message = string(b)
	return e
}

func appendArg(b []byte, verb byte, arg any) []byte {
	switch v := arg.(type) {
	case string:
		switch verb {
		case 'q':
			return strconv.AppendQuote(b, v)
		case 's', 'v':
			return append(b, v...)
		}
	case int:
		if verb == 'd' || verb == 'v' {
			return strconv.AppendInt(b, int64(v), 10)
		}
	case float64:
		if verb == 'v' {
			return strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	panic("errorf: wrong argument for %" + string(rune(verb)))
}

type formatted struct {
	message string
	wrapped error
}

func (e *formatted) Error() string { return e.message }

func (e *formatted) Unwrap() error { return e.wrapped }
