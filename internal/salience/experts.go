package salience

import (
	"slices"

	"github.com/cerasum/cerasum/internal/errorf"
)

// DecodeExperts decodes the contents of the files of --expert and --expert-long,
// which errors name; nil contents stand for the shipped expert. The experts are for
// the methods, of which one must use them, and the licence of core.Options, empty
// where it is not given.
func DecodeExperts(general, long []byte, methods []string, licence string) (*Experts, error) {
	if general == nil && long == nil {
		return nil, nil
	}
	e := &Experts{}
	for _, part := range []struct {
		flag   string
		data   []byte
		expert **Expert
	}{{"expert", general, &e.General}, {"expert-long", long, &e.LongBudget}} {
		switch {
		case part.data == nil:
			continue
		case !slices.Contains(methods, "salience") && !slices.Contains(methods, "auto"):
			return nil, errorf.Errorf("--%s: only methods salience and auto support it", part.flag)
		case licence == "free":
			return nil, errorf.Errorf("--%s with --licence %s: the file does not state its training corpora", part.flag, licence)
		}
		var err error
		if *part.expert, err = Decode(string(part.data)); err != nil {
			return nil, errorf.Errorf("--%s: %w", part.flag, err)
		}
	}
	return e, nil
}
