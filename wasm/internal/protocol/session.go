package protocol

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/errorf"
)

// progressEvery is the least time between two progress messages.
const progressEvery = 50 * time.Millisecond

// Session answers the requests of one other side. The zero value is ready and
// waits for hello. It is not safe for concurrent use.
type Session struct {
	greeted bool
	// engine and now are replaced in tests.
	engine *engine
	now    func() time.Time
}

// engine is what a session asks of the core.
type engine struct {
	prepare   func(context.Context, *cluster.Cluster) error
	summarize func(context.Context, *cluster.Cluster, core.Options) (*core.Summary, error)
}

var realEngine = &engine{prepare: core.Prepare, summarize: core.Summarize}

// Handle answers one request with one reply, both as trees. Meanwhile progress
// is called with progress messages, at most twenty a second; it may be nil.
// Whatever goes wrong, a panic of the core included, becomes an error reply.
func (s *Session) Handle(ctx context.Context, request any, progress func(message any)) (reply any) {
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

// printStack writes the stack to the console; runtime/debug would bring fmt.
func printStack() {
	stack := make([]byte, 16<<10)
	println(string(stack[:runtime.Stack(stack, false)]))
}

// panicText says what a recovered panic was about.
func panicText(p any) string {
	switch v := p.(type) {
	case error:
		return v.Error()
	case string:
		return v
	}
	return "of an unknown type"
}

// Malformed is the reply to a message that cannot be read as a tree at all.
func Malformed(err error) any {
	return errorReply(&Error{Code: CodeProtocol, Message: err.Error()})
}

func (s *Session) answer(ctx context.Context, request Request, progress func(message any)) (map[string]any, error) {
	if hello, ok := request.(Hello); ok {
		if hello.Protocol != Version {
			return nil, &Error{Code: CodeProtocol, Field: "protocol", Message: errorf.Errorf(
				"the page speaks protocol %d, the core protocol %d: they are of different versions", hello.Protocol, Version).Error()}
		}
		s.greeted = true
		return helloReply(), nil
	}
	if !s.greeted {
		return nil, &Error{Code: CodeProtocol, ID: request.requestID(), Field: "kind", Message: "kind: the first message must be hello"}
	}
	e := s.engine
	if e == nil {
		e = realEngine
	}
	switch r := request.(type) {
	case MethodsRequest:
		return methodsReply(r.ID, core.Methods()), nil
	case SplitRequest:
		c := &cluster.Cluster{Documents: r.Documents}
		if err := e.prepare(ctx, c); err != nil {
			return nil, err
		}
		return splitReply(r.ID, c), nil
	case SummarizeRequest:
		c := &cluster.Cluster{Documents: r.Documents}
		clock := newStages(s.now, r.ID, progress)
		r.Options.Progress = clock.report
		summary, err := e.summarize(ctx, c, r.Options)
		if err != nil {
			return nil, err
		}
		return summaryReply(r.ID, c, summary, clock.finish()), nil
	}
	panic("protocol: a request of an unknown type has no answer")
}

// toError gives an error of the core the code under which it crosses.
func toError(id int, err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, core.ErrOption):
		return &Error{Code: CodeOption, ID: id, Message: err.Error()}
	case errors.Is(err, core.ErrNoText):
		return &Error{Code: CodeEmpty, ID: id, Message: err.Error()}
	}
	return &Error{Code: CodeInternal, ID: id, Message: err.Error()}
}
