package mutate

// carryRows are what values are held to that cross between a host and its worker.
func carryRows() []Mutation {
	return []Mutation{
		{
			ID: "carry/pointer", Defence: "a pointer refers to an object of its type",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if x.of != of {`,
			New:     `if x == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/hidden", Defence: "an object has a hidden part of its own type",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if from.of != x.of {`,
			New:     `if from == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/copy", Defence: "a copy of an object has a hidden part of its own type",
			File:    "sandtrap/internal/carry/objects_read.go",
			Old:     `if from.of != of {`,
			New:     `if from == nil {`,
			Package: carryPackage, Test: "TestOtherTypes",
		}, {
			ID: "carry/depth", Defence: "the nesting of values that are read is bounded",
			File:    "sandtrap/internal/carry/cbor.go",
			Old:     `if r.depth++; r.depth > maxDepth {`,
			New:     `if r.depth++; r.depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		}, {
			ID: "carry/depth-written", Defence: "the nesting of values that are written is bounded",
			File:    "sandtrap/internal/carry/encode.go",
			Old:     `if w.depth++; w.depth > maxDepth {`,
			New:     `if w.depth++; w.depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		}, {
			ID: "carry/depth-type", Defence: "the nesting of types is bounded",
			File:    "sandtrap/internal/carry/types.go",
			Old:     `if depth > maxDepth {`,
			New:     `if depth < 0 {`,
			Package: carryPackage, Test: "TestDepth",
		}, {
			ID: "carry/plain", Defence: "a saved session of short items that stand for long ones is refused before they are made",
			File:    "sandtrap/internal/carry/plain.go",
			Old:     `r.alloc(n, v.Type().Elem().Size())`,
			New:     `r.alloc(n, 0)`,
			Package: "./sandtrap", Test: "TestLoadBomb",
		}, {
			ID: "carry/plain-fields", Defence: "a saved session has each field of its structs once, and no others",
			File:    "sandtrap/internal/carry/plain.go",
			Old:     `if i < 0 || seen&(1<<i) != 0 {`,
			New:     `if i < 0 {`,
			Package: carryPackage, Test: "TestPlainRefused",
		}, {
			ID: "carry/error-texts", Defence: "the text of an error in a worker's is made once, not for each that it lies in",
			File:    "sandtrap/internal/carry/errors.go",
			Old:     `p.Elem().Field(i).Set(reflect.ValueOf(io.EOF))`,
			New:     `p.Elem().Set(v)`,
			Package: carryPackage, Test: "TestErrorsNested",
		}, {
			ID: "carry/error-pointer", Defence: "a worker gives its host no error that is a nil pointer",
			File:    "sandtrap/internal/carry/errortree_read.go",
			Old:     `if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {`,
			New:     `if !v.IsValid() {`,
			Package: carryPackage, Test: "TestErrorsForged",
		}, {
			ID: "carry/errors-held", Defence: "errors that a host holds for a run count with all that was written of them",
			File:    "sandtrap/internal/carry/errorsheld.go",
			Old:     `if x == nil || bytes <= x.bytes {`,
			New:     `if true {`,
			Package: carryPackage, Test: "TestErrorsHeldWhole",
		},
	}
}

const carryPackage = "./sandtrap/internal/carry"
