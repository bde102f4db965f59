package ir

// Do is an operation that leaves the loop: the machine has a function for each.
type Do uint8

const (

	// Of tasks and callbacks.
	DoTaskEnd Do = iota
	DoUnwound
	DoBack

	// Of the language.
	DoAppend
	DoClear
	DoClose
	DoClosure
	DoComplex
	DoComplexConv
	DoComplexNeg
	DoComplexOp
	DoConcat
	DoConvertStruct
	DoCopy
	DoDefer
	DoDeferStack
	DoDelete
	DoEqual
	DoF2U
	DoField
	DoFieldAgg
	DoGlobalAgg
	DoGo
	DoHostField
	DoHostFieldValue
	DoI2F32
	DoIfaceAssert
	DoImag
	DoIndexArray
	DoIntToString
	DoLenChan
	DoLenMap
	DoLoadAgg
	DoLoadAlias
	DoLookup
	DoMakeChan
	DoMakeIface
	DoMakeMap
	DoMakeSlice
	DoMapUpdate
	DoMax
	DoMin
	DoNew
	DoNext
	DoNilCheck
	DoPanic
	DoPanicArg
	DoPartAgg
	DoPrint
	DoPrintln
	DoRange
	DoRangeBusy
	DoRangePanic
	DoReal
	DoRecover
	DoRecv
	DoRunDefers
	DoSelect
	DoSend
	DoSlice
	DoSliceString
	DoSliceToArray
	DoSliceToArrayValue
	DoSliceToString
	DoStoreAgg
	DoStringToSlice
	DoTypeAssert
	DoUnpack
	DoWrapNil

	// Calls of the host, and what the rewrite calls.
	DoGate
	DoDirect
	DoHostMethod
	DoInvoke
	DoSpawning
	DoScan
	DoNothing
	DoSame
	DoEcho

	// Members of the library that the engine has for itself.
	DoBelow
	DoGoexit
	DoGosched
	DoNumGoroutine
	DoSleep
	DoErrorsAs
	DoErrorsIs
	DoSortBy
	DoSort
	DoSortStable
	DoIsSorted
	DoSortSlice
	DoSortSliceStable
	DoSliceIsSorted
	DoBinaryIn
	DoBinaryOut
	DoBinarySize
	DoJSONDecode
	DoJSONEncode
	DoJSONMarshal
	DoJSONMarshalIndent
	DoJSONUnmarshal
	DoEscaper
	DoIsTrue
	DoTemplateClone
	DoTemplateExecute
	DoTemplateFuncs
	DoTemplateKin
	DoTemplateOption

	// Methods of strings.Builder.
	DoBuilderWriteByte
	DoBuilderWriteRune
	DoBuilderWriteString

	// Members of package reflect.
	DoDeepEqual
	DoReflectAssert
	DoReflectFunc
	DoReflectMethod
	DoReflectMethodValue
	DoSwapper
	DoTypeFor
	DoTypeOf
	DoValueOf

	// DoLeaf and those after it call a leaf: a function or method of the library with a signature that has code
	// of its own, see LeafFor.
	DoLeaf
)
