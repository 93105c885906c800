package protocol

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/internal/errorf"
	"github.com/cerasum/cerasum/internal/unigram"
)

// progressEvery is the minimum time between two progress messages.
const progressEvery = 50 * time.Millisecond

// Server answers the requests of one page and holds its sessions. The zero
// value is ready to use and expects hello. It is not safe for concurrent use.
type Server struct {
	greeted  bool
	sessions map[int]*core.Session
	// tokenizer is that of the last vocabulary.
	tokenizer *unigram.Tokenizer
	last      int // number of the session opened last
	// open and now are replaced in tests.
	open func(context.Context, []core.Document, core.OpenOptions) (*core.Session, error)
	now  func() time.Time
}

// Handle returns the reply to a request, both as trees. It calls progress,
// which may be nil, with progress messages, at most twenty a second. All
// errors, including panics of the core, become error replies.
func (s *Server) Handle(ctx context.Context, request any, progress func(message any)) (reply any) {
	id := 0
	defer func() {
		if p := recover(); p != nil {
			printStack()
			reply = errorReply(&Error{Code: CodeInternal, ID: id, Message: "panic: " + panicText(p)})
		}
	}()
	r, err := DecodeRequest(request)
	if err == nil {
		id = r.requestID()
		var answer map[string]any
		if answer, err = s.answer(ctx, r, progress); err == nil {
			return answer
		}
	}
	return errorReply(toError(id, err))
}

// printStack writes the stack to the console; runtime/debug would import fmt.
func printStack() {
	stack := make([]byte, 16<<10)
	println(string(stack[:runtime.Stack(stack, false)]))
}

// panicText returns the message of a recovered panic.
func panicText(p any) string {
	switch v := p.(type) {
	case error:
		return v.Error()
	case string:
		return v
	}
	return "a value of an unknown type"
}

// Malformed is the reply to a message that cannot be converted to a tree.
func Malformed(err error) any {
	return errorReply(&Error{Code: CodeProtocol, Message: err.Error()})
}

func (s *Server) answer(ctx context.Context, request Request, progress func(message any)) (map[string]any, error) {
	if hello, ok := request.(Hello); ok {
		if hello.Protocol != Version {
			return nil, &Error{Code: CodeProtocol, Field: "protocol", Message: errorf.Errorf(
				"protocol: want %d, got %d: the page and the core are of different versions", Version, hello.Protocol).Error()}
		}
		s.greeted = true
		return helloReply(), nil
	}
	if !s.greeted {
		return nil, &Error{Code: CodeProtocol, ID: request.requestID(), Field: "kind", Message: "kind: the first message must be hello"}
	}
	switch r := request.(type) {
	case InfoRequest:
		return infoReply(r.ID, core.Methods(), core.Languages()), nil
	case OpenRequest:
		return s.opened(ctx, r, newStages(s.now, r.ID, "split", progress))
	case EmbedRequest:
		session, err := s.session(r.ID, r.Session)
		if err != nil {
			return nil, err
		}
		if err := session.Embed(r.Embeddings); err != nil {
			return nil, fieldError(r.ID, "", err)
		}
		return plainReply("embedded", r.ID), nil
	case ToEmbedRequest:
		session, err := s.session(r.ID, r.Session)
		if err != nil {
			return nil, err
		}
		return toEmbedReply(r.ID, session.ToEmbed(r.Tokens)), nil
	case TokenizeRequest:
		return s.tokenized(r)
	case SummarizeRequest:
		session, err := s.session(r.ID, r.Session)
		if err != nil {
			return nil, err
		}
		clock := newStages(s.now, r.ID, "select", progress)
		r.Options.Progress = clock.report
		summary, err := session.Summarize(ctx, r.Options)
		if err != nil {
			return nil, fieldError(r.ID, "options.", err)
		}
		return summaryReply(r.ID, summary, clock.finish()), nil
	case CloseRequest:
		session, err := s.session(r.ID, r.Session)
		if err != nil {
			return nil, err
		}
		session.Close()
		delete(s.sessions, r.Session)
		return plainReply("closed", r.ID), nil
	}
	panic("protocol: a request of an unknown type")
}

func (s *Server) tokenized(r TokenizeRequest) (map[string]any, error) {
	if r.Vocabulary != nil {
		tokenizer, err := unigram.Read(r.Vocabulary)
		if err != nil {
			return nil, &Error{Code: CodeOption, ID: r.ID, Field: "vocabulary", Message: "vocabulary: " + err.Error()}
		}
		s.tokenizer = tokenizer
	}
	if s.tokenizer == nil {
		return nil, &Error{Code: CodeOption, ID: r.ID, Field: "vocabulary", Message: "vocabulary: want it before texts"}
	}
	var all []int32
	lengths := make([]uint32, len(r.Texts))
	for k, text := range r.Texts {
		before := len(all)
		all = s.tokenizer.Input(all, text, r.Asks)
		lengths[k] = uint32(len(all) - before)
	}
	ids := make([]uint32, len(all))
	for k, id := range all {
		ids[k] = uint32(id)
	}
	return tokenizedReply(r.ID, ids, lengths, s.tokenizer.Before(r.Asks)), nil
}

func (s *Server) opened(ctx context.Context, r OpenRequest, clock *stages) (map[string]any, error) {
	if err := r.Options.Check(); err != nil {
		return nil, fieldError(r.ID, "options.", err)
	}
	open := s.open
	if open == nil {
		open = core.Open
	}
	session, err := open(ctx, r.Documents, core.OpenOptions{Languages: r.Languages, Titles: r.Titles, Progress: clock.report})
	if err != nil {
		return nil, fieldError(r.ID, "", err)
	}
	if s.sessions == nil {
		s.sessions = map[int]*core.Session{}
	}
	s.last++
	s.sessions[s.last] = session
	return openedReply(r.ID, s.last, session, clock.finish()), nil
}

func (s *Server) session(id, number int) (*core.Session, error) {
	session := s.sessions[number]
	if session == nil {
		return nil, &Error{Code: CodeSession, ID: id, Field: "session", Message: errorf.Errorf("session: no session %d", number).Error()}
	}
	return session, nil
}

// fieldError converts an option error of the core to one with the path of its
// field.
func fieldError(id int, prefix string, err error) error {
	option, ok := errors.AsType[*core.OptionError](err)
	if !ok {
		return err
	}
	field := prefix + option.Name
	return &Error{Code: CodeOption, ID: id, Field: field, Message: field + ": " + option.Message}
}

// toError converts an error of the core to an Error with a code.
func toError(id int, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, core.ErrNoText) {
		return &Error{Code: CodeEmpty, ID: id, Message: err.Error()}
	}
	return &Error{Code: CodeInternal, ID: id, Message: err.Error()}
}
