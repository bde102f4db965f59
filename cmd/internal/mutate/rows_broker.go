package mutate

// brokerRows are the defences against a broker that does not do what it should.
func brokerRows() []Mutation {
	return []Mutation{
		{
			ID: "broker/user", Defence: "a broker of another user is not asked",
			File:    "sandtrap/decide/broker/client.go",
			Old:     `	case peer.UID != c.uid:`,
			New:     `	case false:`,
			Package: "./sandtrap/decide/broker", Test: "TestBrokerOfAnotherUser",
		},
		{
			ID: "broker/dial", Defence: "a call waits for another connection no longer than its own context lets it",
			File: "sandtrap/decide/broker/client.go",
			Old: `	case <-ctx.Done():
		return nil, fmt.Errorf("broker: no connection`,
			New: `	case <-context.Background().Done():
		return nil, fmt.Errorf("broker: no connection`,
			Package: "./sandtrap/decide/broker", Test: "TestSlowDial",
		},
		{
			ID: "broker/group", Defence: "a broker of another group than the one that is wanted is not asked",
			File:    "sandtrap/decide/broker/client.go",
			Old:     `	case c.o.GID != nil && peer.GID != *c.o.GID:`,
			New:     `	case peer.GID < 0:`,
			Package: "./sandtrap/decide/broker", Test: "TestBrokerOfAnotherUser",
		},
		{
			ID: "broker/host", Defence: "a broker serves no process of another user",
			File:    "sandtrap/decide/broker/serve.go",
			Old:     "if err != nil || peer.UID != os.Geteuid() && peer.UID != 0 {",
			New:     "if err != nil || peer.UID < 0 {",
			Package: "./sandtrap/decide/broker", Test: "TestClientOfAnotherUser",
		},
		{
			ID: "broker/mode", Defence: "the socket of a broker is its owner's alone",
			File:    "sandtrap/decide/broker/serve.go",
			Old:     "0o600); err",
			New:     "0o666); err",
			Package: "./sandtrap/decide/broker", Test: "TestClientOfAnotherUser",
		},
		{
			ID: "broker/keys", Defence: "an answer has each key once, and in the case of the protocol",
			File:    "sandtrap/decide/broker/message.go",
			Old:     `if seen[key] || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {`,
			New:     `if seen[key] && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {`,
			Package: "./sandtrap/decide/broker", Test: "TestFaults/allows_twice",
		},
		{
			ID: "broker/unknown", Defence: "an answer with a key that is not of the protocol denies",
			File: "sandtrap/decide/broker/message.go",
			Old: `	d.DisallowUnknownFields()
`,
			New:     "",
			Package: "./sandtrap/decide/broker", Test: "TestFaults/an_unknown_key",
		},
		{
			ID: "broker/behind", Defence: "a line is one value",
			File:    "sandtrap/decide/broker/message.go",
			Old:     "if len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {",
			New:     "if len(bytes.TrimSpace(line[d.InputOffset():])) > 1<<20 {",
			Package: "./sandtrap/decide/broker", Test: "TestFaults/junk_behind",
		},
		{
			ID: "broker/cut", Defence: "an answer without the end of its line denies",
			File:    "sandtrap/decide/broker/message.go",
			Old:     `		return nil, io.ErrUnexpectedEOF`,
			New:     `		return line, nil`,
			Package: "./sandtrap/decide/broker", Test: "TestCutAnswers",
		},
		{
			ID: "broker/long", Defence: "an answer that is longer than MaxLine denies",
			File:    "sandtrap/decide/broker/message.go",
			Old:     `	case len(line) > maximal:`,
			New:     `	case len(line) < 0:`,
			Package: "./sandtrap/decide/broker", Test: "TestFaults/too_long",
		},
		{
			ID: "broker/ids", Defence: "an answer with the id of another question is noticed, since ids cannot be guessed",
			File:    "sandtrap/decide/broker/conn.go",
			Old:     "rand.Int64N(1<<53-1)",
			New:     "rand.Int64N(1) + int64(len(k.waiting))",
			Package: "./sandtrap/decide/broker", Test: "TestMixedUp",
		},
		{
			ID: "broker/twice", Defence: "an answer to a question that has one ends the connection",
			File: "sandtrap/decide/broker/conn.go",
			Old: `	if w == nil {
		return fmt`,
			New: `	if w == nil {
		return nil
	}
	if w == nil {
		return fmt`,
			Package: "./sandtrap/decide/broker", Test: "TestTwice",
		},
		{
			ID: "broker/requests", Defence: "an approval answers each request once, and no other",
			File:    "sandtrap/decide/broker/client.go",
			Old:     "if !open[its.ID] {",
			New:     "if !open[its.ID] && its.ID == 0 {",
			Package: "./sandtrap/decide/broker", Test: "TestFaults/unknown_request",
		},
		{
			ID: "broker/verdict", Defence: "a verdict that is unknown denies all of its batch",
			File:    "sandtrap/decide/broker/client.go",
			Old:     "if !slices.Contains(",
			New:     `if its.Verdict == "" && !slices.Contains(`,
			Package: "./sandtrap/decide/broker", Test: "TestFaults/unknown_verdict",
		},
		{
			ID: "broker/kind", Defence: "an answer of another kind than its question denies",
			File:    "sandtrap/decide/broker/client.go",
			Old:     "case (q.Kind == kindDecide) != (a.Ruling != nil):",
			New:     "case (q.Kind == kindDecide) != (a.Ruling != nil) && a.Ruling == nil:",
			Package: "./sandtrap/decide/broker", Test: "TestFaults/a_ruling_on_requests",
		},
		{
			ID: "broker/unread", Defence: "a broker that takes no lines loses the connection",
			File:    "sandtrap/decide/broker/conn.go",
			Old:     "SetWriteDeadline(time.Now().Add(k.timeout))",
			New:     "SetWriteDeadline(time.Now().Add(1000 * k.timeout))",
			Package: "./sandtrap/decide/broker", Test: "TestNoReader",
		},
		{
			ID: "broker/forgets", Defence: "a broker that leaves many questions without an answer loses the connection",
			File:    "sandtrap/decide/broker/conn.go",
			Old:     "if k.abandoned > maxAbandoned {",
			New:     "if k.abandoned > 2*maxAbandoned {",
			Package: "./sandtrap/decide/broker", Test: "TestForgets",
		},
		{
			ID: "broker/ended", Defence: "who has ended a question gets no answer that allows",
			File:    "sandtrap/decide/broker/serve.go",
			Old:     `			err = ctx.Err() // it denies, whatever the answer is`,
			New:     `			err = nil`,
			Package: "./sandtrap/decide/broker", Test: "TestServeEndsWhileWaiting",
		},
		{
			ID: "broker/panic", Defence: "a panic of a decider denies, and the broker goes on",
			File:    "sandtrap/decide/broker/serve.go",
			Old:     "if p := recover(); p != nil {",
			New:     "if p := any(nil); p != nil {",
			Package: "./sandtrap/decide/broker", Test: "TestErrorsOfTheBroker", Crash: "panic: a bug",
		},
	}
}
