package mutate

// memberRows are defences of who is in a cluster, and of what each tenant and worker gets of it.
func memberRows() []Mutation {
	const dir, pkg = "cmd/sandtrapd/internal/cluster/", "./cmd/sandtrapd/internal/cluster"
	return []Mutation{
		{
			ID: "members/key", Defence: "nobody comes in with a key that the server does not know",
			File: dir + "auth.go", Old: "if !known || !signed(", New: "if known = true; !signed(",
			Package: pkg, Test: "TestKeys",
		},
		{
			ID: "members/signature", Defence: "the public part of a key lets nobody in",
			File: dir + "auth.go", Old: "return err == nil && key.Verify(nonce, text) == nil", New: "return err == nil && key != nil && text != nil",
			Package: pkg, Test: "TestKeys",
		},
		{
			ID: "members/role", Defence: "the key of a worker is none of a front",
			File: dir + "auth.go", Old: "if e.Role != RoleFront {", New: `if e.Role == "" {`,
			Package: pkg, Test: "TestMay",
		},
		{
			ID: "members/others", Defence: "a worker sees those jobs alone that it is given",
			File: dir + "auth.go", Old: `jobs + "> " + workers, `, New: `jobs + ">", `,
			Package: pkg, Test: "TestMay",
		},
		{
			ID: "members/speaks", Defence: "a worker speaks in its own name alone",
			File: dir + "auth.go", Old: `back + worker + ".>", here + worker`, New: `back + ">", here + "*"`,
			Package: pkg, Test: "TestMay",
		},
		{
			ID: "members/removed", Defence: "the connection of a worker that is removed is ended",
			File: dir + "server.go", Old: "		gone[public] = math.MaxUint64\n", New: "		_, _ = public, uint64(math.MaxUint64)\n",
			Package: pkg, Test: "TestRemoved",
		},
		{
			ID: "members/twice", Defence: "two processes with one key are not connected at a time",
			File: dir + "server.go", Old: "			s.kick(came)\n", New: "			_ = came\n",
			Package: pkg, Test: "TestTwice",
		},
		{
			ID: "members/malformed", Defence: "a malformed file of the roster lets nobody in",
			File: dir + "roster.go", Old: "len(fields) != 2 || ", New: "len(fields) < 2 || ",
			Package: pkg, Test: "TestRoster",
		},
		{
			ID: "members/secret", Defence: "a key that others may read is refused",
			File: dir + "identity.go", Old: "trustedfile.ReadSecret(path)", New: "trustedfile.Read(path)",
			Package: pkg, Test: "TestIdentity",
		},
		{
			ID: "members/loopback", Defence: "without TLS the embedded server listens for this machine alone",
			File: dir + "server.go", Old: `o.Cert == "" && !at.Addr().IsLoopback()`, New: "false",
			Package: pkg, Test: "TestListen",
		},
		{
			ID: "members/memory", Defence: "jobs of a worker reserve no more memory than it has",
			File: dir + "room.go", Old: "if need > r.all-r.taken {", New: "if need > r.all {",
			Package: pkg, Test: "TestPlaced",
		},
		{
			ID: "members/free", Defence: "a job is not taken whose memory other programs have",
			File: dir + "room.go", Old: "need > left && !(last && r.taken == 0)", New: "false",
			Package: pkg, Test: "TestRoom",
		},
		{
			ID: "members/clock", Defence: "the record has the clock of the front",
			File: dir + "told.go", Old: "	e.Time = time.Now()", New: "	_ = time.Now()",
			Package: pkg, Test: "TestSubject",
		},
		{
			ID: "members/took", Defence: "a run took no longer than its front has waited",
			File: dir + "front.go", Old: "o.Duration = min(o.Duration, time.Since(begun))", New: "_ = begun",
			Package: pkg, Test: "TestSubject",
		},
		{
			ID: "members/weight", Defence: "tenants get turns by their weights",
			File: "cmd/sandtrapd/internal/turns/order.go", Old: "1/float64(max(1, weight))", New: "1",
			Package: "./cmd/sandtrapd/internal/turns", Test: "TestWeights",
		},
		{
			ID: "members/full", Defence: "a server with too much to do does not say that it is the tenant",
			File: "cmd/sandtrapd/internal/api/limits.go", Old: "	if e.Tenant {", New: "	if true {",
			Package: "./cmd/sandtrapd/internal/api", Test: "TestBusy",
		},
	}
}
