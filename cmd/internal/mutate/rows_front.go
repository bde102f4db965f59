package mutate

// frontRows are what the host's side makes of what a worker says of values.
func frontRows() []Mutation {
	return []Mutation{
		{
			ID: "values/room", Defence: "the memory of a worker's values is bounded",
			File:    "sandtrap/internal/carry/cbor.go",
			Old:     `|| int64(n)*int64(size) > r.room ||`,
			New:     `||`,
			Package: "./sandtrap/internal/carry", Test: "TestRoom|TestRoomIsShared|TestRoomOfCalls",
		}, {
			ID: "values/rest", Defence: "data after a worker's values is refused",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if len(r.data) > 0 {`,
			New:     `if len(r.data) < 0 {`,
			Package: "./sandtrap/internal/carry", Test: "TestRest",
		}, {
			ID: "values/object", Defence: "an object of a worker has a number and a type of its own",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if o.mine(id) || id == 0 || o.byID[id] != nil || at >= uint64(len(o.types.list)) {`,
			New:     `if at >= uint64(len(o.types.list)) {`,
			Package: "./sandtrap/internal/carry", Test: "TestForgedObjects",
		}, {
			ID: "values/hidden", Defence: "a hidden part of a host's value is not replaced by that of another value",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     "case !fresh:\n\t\tfail(",
			New:     "case x == nil:\n\t\tfail(",
			Package: "./sandtrap/internal/carry", Test: "TestGiven",
		}, {
			ID: "values/lost", Defence: "after a malformed value a worker's further values are refused",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `o.lost = errLost // if it is none`,
			New:     ``,
			Package: "./sandtrap/internal/carry", Test: "TestForgedObjects",
		}, {
			ID: "values/objects", Defence: "the objects that the host holds for a run are bounded",
			File:    "sandtrap/internal/carry/objects.go",
			Old:     "if len(o.byID) >= maxObjects {\n\t\treturn nil, errTooMany",
			New:     "if len(o.byID) < 0 {\n\t\treturn nil, errTooMany",
			Package: "./sandtrap/internal/carry", Test: "TestTooManyObjects",
		}, {
			ID: "values/objects-bytes", Defence: "the memory of the objects that the host holds for a run is bounded",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if o.kept += n; o.here && o.kept > MaxCall {`,
			New:     `if o.kept += n; o.here && o.kept < 0 {`,
			Package: "./sandtrap/internal/carry", Test: "TestRoomOfObjects",
		}, {
			ID: "journal/args", Defence: "a run whose calls have other arguments than in its journal ends",
			File:    "sandtrap/internal/journal/calls.go",
			Old:     `was != nil && (was.Name != name || was.Args != c.hash)`,
			New:     `was != nil && was.Name != name`,
			Package: "./sandtrap/durable", Test: "TestDiverged",
		}, {
			ID: "journal/waiting", Defence: "an answer is for the call that was shown",
			File:    "sandtrap/internal/journal/calls.go",
			Old:     `waits != nil && (waits.Name != name || Hash(waits.Args) != c.hash)`,
			New:     `waits != nil && waits.Name != name`,
			Package: "./sandtrap/durable", Test: "TestDiverged",
		}, {
			ID: "journal/moment", Defence: "a call returns at the moment that the journal has",
			File:    "sandtrap/internal/journal/turn.go",
			Old:     `case was.Rest == at.Number && r.calls[was.Call] != nil:`,
			New:     `case r.calls[was.Call] != nil:`,
			Package: "./sandtrap/durable", Test: "TestDiverged",
		}, {
			ID: "journal/policy", Defence: "a journal is for the policy that it was begun under",
			File:    "sandtrap/durable/run.go",
			Old:     `f.Policy != "") && f.Policy != b.hash {`,
			New:     `f.Policy != "") && f.Policy == "" {`,
			Package: "./sandtrap/durable", Test: "TestDivergedPolicy|TestDiverged",
		}, {
			ID: "journal/order", Defence: "calls that go on beside the script return one at a time, by the journal",
			File: "sandtrap/internal/engine/order.go",
			Old: `	if t == nil {
		return false
	}`,
			New: `	if t == nil || true {
		return false
	}`,
			Package: "./sandtrap/sandtraptest", Test: "TestJournalPauses|TestJournalReplay",
		}, {
			ID: "tools/types", Defence: "scripts in workers have no type that is the sandbox's own",
			File:    "builtins/datatypes.go",
			Old:     `if made.Is(t) { // what it is made of here is not for scripts`,
			New:     `if made.Is(t) && t == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestNoTypesOfOurs",
		}, {
			ID: "tools/state", Defence: "a tool neither gets nor sets what a type that is made at run time has of its own",
			File:    "internal/made/made.go",
			Old:     `Tag: reflect.StructTag(noJSON + name)}`,
			New:     `Tag: reflect.StructTag(name)}`,
			Package: "./sandtrap/toolfile", Test: "TestErrors",
		}, {
			ID: "tools/pointers", Defence: "a tool gets no memory that the script goes on using",
			File:    "sandtrap/toolfile/function.go",
			Old:     `if hasPointer(t) {`,
			New:     `if t == nil {`,
			Package: "./sandtrap/toolfile", Test: "TestRefusals",
		}, {
			ID: "tools/results", Defence: "a result with more than its type has is refused",
			File:    "sandtrap/toolfile/result.go",
			Old:     `d.DisallowUnknownFields()`,
			New:     ``,
			Package: "./sandtrap/toolfile", Test: "TestErrors",
		}, {
			ID: "front/events-closed", Defence: "a host that closes the channel of events still gets the result",
			File:    "sandtrap/events.go",
			Old:     `if recover() != nil { // the host has closed it, and wants no more`,
			New:     `if f == nil {`,
			Package: "./sandtrap/sandtraptest", Test: "TestEventsClosed",
		},
	}
}
