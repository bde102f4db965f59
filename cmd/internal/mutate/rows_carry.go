package mutate

// carryRows are what values are held to that cross between a host and its worker.
func carryRows() []Mutation {
	return []Mutation{
		{
			ID: "carry/pointer", Defence: "a pointer leads to an object of its type",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if x.of != of {`,
			New:     `if x == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/hidden", Defence: "an object has the hidden part of one of its type",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if from.of != x.of {`,
			New:     `if from == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/copy", Defence: "and so has a copy",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if from.of != of {`,
			New:     `if from == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/depth", Defence: "what is read is nested so deep at most",
			File:    "sandtrap/internal/carry/cbor.go",
			Old:     `if r.depth++; r.depth > maxDepth {`,
			New:     `if r.depth++; r.depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		}, {
			ID: "carry/depth-written", Defence: "a value that is written is, too",
			File:    "sandtrap/internal/carry/encode.go",
			Old:     `if w.depth++; w.depth > maxDepth {`,
			New:     `if w.depth++; w.depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		}, {
			ID: "carry/depth-type", Defence: "and its type",
			File:    "sandtrap/internal/carry/types.go",
			Old:     `if depth > maxDepth {`,
			New:     `if depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		},
	}
}

const carryPackage = "./sandtrap/internal/carry"
