package ir

import (
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// Named are the operations that rows of the library name, see Engine of builtins.Package: the engine does them where
// such a member is called.
var Named = map[string]Do{
	"sleep":                 DoSleep,
	"gosched":               DoGosched,
	"goexit":                DoGoexit,
	"num-goroutine":         DoNumGoroutine,
	"errors-as":             DoErrorsAs,
	"errors-is":             DoErrorsIs,
	"sort-slice":            DoSortSlice,
	"sort-slice-stable":     DoSortSliceStable,
	"slice-is-sorted":       DoSliceIsSorted,
	"sort-interface":        DoSort,
	"sort-interface-stable": DoSortStable,
	"is-interface-sorted":   DoIsSorted,
	"binary-out":            DoBinaryOut,
	"binary-in":             DoBinaryIn,
	"binary-size":           DoBinarySize,
	"json-marshal":          DoJSONMarshal,
	"json-marshal-indent":   DoJSONMarshalIndent,
	"json-unmarshal":        DoJSONUnmarshal,
	"json-encode":           DoJSONEncode,
	"json-decode":           DoJSONDecode,
	"escaper":               DoEscaper,
	"is-true":               DoIsTrue,
	"template-kin":          DoTemplateKin,
	"template-clone":        DoTemplateClone,
	"template-execute":      DoTemplateExecute,
	"template-funcs":        DoTemplateFuncs,
	"template-option":       DoTemplateOption,
	"scan":                  DoScan,
	"spawn":                 DoSpawning,
	"builder-write-byte":    DoBuilderWriteByte,
	"builder-write-rune":    DoBuilderWriteRune,
	"builder-write-string":  DoBuilderWriteString,
	"type-of":               DoTypeOf,
	"value-of":              DoValueOf,
	"deep-equal":            DoDeepEqual,
	"swapper":               DoSwapper,
	"type-for":              DoTypeFor,
	"type-assert":           DoReflectAssert,
	"reflect-method":        DoReflectMethod,
	"reflect-func":          DoReflectFunc,
}

// DoOf is the operation for a member, if its row names one.
func DoOf(b rewrite.Binding) (Do, bool) {
	for word := range strings.FieldsSeq(b.Engine) {
		if do, ok := Named[word]; ok {
			return do, true
		}
	}
	return 0, false
}
