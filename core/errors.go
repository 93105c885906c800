package core

import (
	"errors"

	"github.com/cerasum/cerasum/internal/errorf"
)

var (
	// ErrOption is wrapped by every error about an option: an unknown name, a
	// value out of range, an option without the one that it requires.
	ErrOption = errors.New("invalid option")
	// ErrNoText is returned for documents in which no sentence has a word.
	ErrNoText = errors.New("nothing to summarize: the documents contain no text")
	// ErrClosed is returned by the methods of a closed [Session].
	ErrClosed = errors.New("the session is closed")
)

// OptionError is an error about one option. It is an [ErrOption].
type OptionError struct {
	// Name is [OptionInfo].Name, or the path of the invalid field:
	// "queryWeight", "documents[2].language"; empty if the caller knows it.
	Name string
	// Message says what was expected and what was found.
	Message string
	// WrongType reports that the value does not have the option's type.
	WrongType bool
}

func (e *OptionError) Error() string {
	if e.Name == "" {
		return e.Message
	}
	return e.Name + ": " + e.Message
}

// Is makes every OptionError an ErrOption.
func (e *OptionError) Is(target error) bool { return target == ErrOption }

func optionError(name, format string, args ...any) error {
	return &OptionError{Name: name, Message: errorf.Errorf(format, args...).Error()}
}

// shapeError is about a value that is not of the option's type, such as half a
// sentence.
func shapeError(name, format string, args ...any) error {
	return &OptionError{Name: name, Message: errorf.Errorf(format, args...).Error(), WrongType: true}
}

// typeError is about a value of the wrong type.
func typeError(name, want string, v any) error {
	return &OptionError{Name: name, Message: "want " + want + ", got " + TypeName(v), WrongType: true}
}
