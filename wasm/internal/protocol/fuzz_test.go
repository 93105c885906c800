package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"testing"
)

// addFixtures adds the messages that the tests of both sides read.
func addFixtures(f *testing.F) {
	f.Helper()
	for _, name := range []string{"requests.json", "bad-requests.json"} {
		data, err := fixtures.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		var list []struct{ Message json.RawMessage }
		if err := json.Unmarshal(data, &list); err != nil {
			f.Fatal(err)
		}
		for _, one := range list {
			if len(one.Message) > 0 {
				f.Add([]byte(one.Message))
			}
		}
	}
}

// tree returns a message as wasm/page would convert it; false if there is none.
func tree(data []byte) (message any, ok bool) {
	// In revive a list of anything but numbers is a mistake of a fixture.
	defer func() { _ = recover() }()
	if json.Unmarshal(data, &message) != nil {
		return nil, false
	}
	return revive(message), true
}

// FuzzDecodeRequest: a message is refused with a code, or is a request that is
// the same after it was encoded.
func FuzzDecodeRequest(f *testing.F) {
	addFixtures(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		message, ok := tree(data)
		if !ok {
			return
		}
		r, err := DecodeRequest(message)
		if err != nil {
			e := toError(0, err)
			if e.Code == CodeInternal || e.Code == "" || e.Message == "" {
				t.Fatalf("%s: %+v", data, e)
			}
			return
		}
		again, err := DecodeRequest(encodeRequest(r))
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%s: %+v, encoded and decoded %+v, %v", data, r, again, err)
		}
	})
}

// FuzzServer handles a message a line: each gets one reply with its id, none is an
// internal error, and sessions are those that were opened.
func FuzzServer(f *testing.F) {
	f.Add([]byte(`{"kind":"open","id":2,"documents":[{"text":"The ferry left. Nobody was late."},{"text":"The ferry left at noon."}]}
{"kind":"embed","id":3,"session":1,"embeddings":{"$float32":[1,0,0,1,1,1]},"dimensions":2}
{"kind":"summarize","id":4,"session":1,"options":{"budget":{"sentences":1}}}
{"kind":"close","id":5,"session":1}
{"kind":"summarize","id":6,"session":1,"options":{}}`))
	f.Add([]byte(`{"kind":"open","id":1,"documents":[{"text":"Two. Three 🚢.","blocks":[[0,4,"heading"],[5,14,"paragraph"]]}],"titles":true,"options":{"method":"mmr","budget":{"words":3},"query":"three"}}
{"kind":"info","id":2}`))
	addFixtures(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			t.Skip("too long to be quick")
		}
		var s Server
		hello := s.Handle(context.Background(), map[string]any{"kind": "hello", "protocol": float64(Version)}, nil).(map[string]any)
		if hello["kind"] != "hello" {
			t.Fatalf("%v", hello)
		}
		open := 0
		for line := range bytes.Lines(data) {
			message, ok := tree(line)
			if !ok {
				continue
			}
			reply, ok := s.Handle(context.Background(), message, func(any) {}).(map[string]any)
			if !ok || reply["kind"] == nil {
				t.Fatalf("%s: %v", line, reply)
			}
			switch reply["kind"] {
			case "error":
				if reply["code"] == string(CodeInternal) || reply["message"] == "" {
					t.Fatalf("%s: %v", line, reply)
				}
			case "opened":
				open++
			case "closed":
				open--
			}
			if open != len(s.sessions) || open < 0 {
				t.Fatalf("%s: %d sessions, want %d", line, len(s.sessions), open)
			}
			if request, ok := message.(map[string]any); ok && reply["kind"] != "error" && reply["kind"] != "hello" && reply["id"] != request["id"] {
				t.Fatalf("%s: id %v", line, reply["id"])
			}
		}
	})
}
