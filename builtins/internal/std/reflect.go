package std

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
)

const reflectSource = `
func TypeFor[T any]() Type
func TypeAssert[T any](v Value) (T, bool)
`

// What scripts have as types and values of package reflect is made by the engine, and
// shows of values of the host's what the policy does. The functions here are those of
// engines that do not.
var stdReflect = rows.Package{
	Path: "reflect",
	Engine: "TypeOf=type-of ValueOf=value-of DeepEqual=deep-equal Swapper=swapper TypeFor=type-for TypeAssert=type-assert Value.*=reflect-method MapIter.*=reflect-method " +
		"Zero=reflect-func New=reflect-func Indirect=reflect-func PointerTo=reflect-func PtrTo=reflect-func SliceOf=reflect-func MapOf=reflect-func MakeSlice=reflect-func " +
		"MakeFunc=reflect-func FuncOf=reflect-func MakeMap=reflect-func MakeMapWithSize=reflect-func Append=reflect-func AppendSlice=reflect-func Copy=reflect-func",
	Bounded: "ChanDir.String Kind.String MapIter.Key MapIter.Next MapIter.Reset MapIter.Value Method.IsExported StructField.IsExported StructTag.Get StructTag.Lookup Value.Addr Value.Bool " +
		"Value.Bytes Value.Call Value.CallSlice Value.CanAddr Value.CanComplex Value.CanConvert Value.CanFloat Value.CanInt Value.CanInterface Value.CanSet Value.CanUint Value.Cap " +
		"Value.Clear Value.Comparable Value.Complex Value.Convert Value.Elem Value.Equal Value.Field Value.FieldByIndex Value.FieldByIndexErr Value.FieldByName Value.FieldByNameFunc " +
		"Value.Float Value.Grow Value.Index Value.Int Value.Interface Value.IsNil Value.IsValid Value.IsZero Value.Kind Value.Len Value.MapIndex Value.MapKeys Value.MapRange Value.Method " +
		"Value.MethodByName Value.NumField Value.NumMethod Value.OverflowComplex Value.OverflowFloat Value.OverflowInt Value.OverflowUint Value.Pointer Value.Set Value.SetBool Value.SetBytes " +
		"Value.SetCap Value.SetComplex Value.SetFloat Value.SetInt Value.SetIterKey Value.SetIterValue Value.SetLen Value.SetMapIndex Value.SetString Value.SetUint Value.SetZero Value.Slice " +
		"Value.Slice3 Value.String Value.Type Value.Uint ValueError.Error Append AppendSlice Copy DeepEqual FuncOf Indirect MakeFunc MakeMap MakeMapWithSize MakeSlice MapOf New PointerTo PtrTo SliceOf " +
		"Swapper TypeOf ValueOf VisibleFields Zero",
	Source: reflectSource, Mentions: "Type Value",
	Members: []rows.Member{
		{Name: "ChanDir", Value: (*reflect.ChanDir)(nil), With: "String"},
		{Name: "Kind", Value: (*reflect.Kind)(nil), With: "String"},
		{Name: "MapIter", Value: (*reflect.MapIter)(nil), With: "Key Next Reset Value"},
		{Name: "Method", Value: (*reflect.Method)(nil), With: "Index IsExported Name PkgPath Type"},
		{Name: "StructField", Value: (*reflect.StructField)(nil), With: "Anonymous Index IsExported Name Offset PkgPath Tag Type"},
		{Name: "StructTag", Value: (*reflect.StructTag)(nil), With: "Get Lookup"},
		{Name: "Type", Value: (*reflect.Type)(nil)},
		{Name: "Value", Value: (*reflect.Value)(nil), With: "Addr Bool Bytes Call CallSlice CanAddr CanComplex CanConvert CanFloat CanInt CanInterface CanSet CanUint Cap Clear Comparable Complex Convert Elem Equal Field FieldByIndex FieldByIndexErr FieldByName FieldByNameFunc Float Grow Index Int Interface IsNil IsValid IsZero Kind Len MapIndex MapKeys MapRange Method MethodByName NumField NumMethod OverflowComplex OverflowFloat OverflowInt OverflowUint Pointer Set SetBool SetBytes SetCap SetComplex SetFloat SetInt SetIterKey SetIterValue SetLen SetMapIndex SetString SetUint SetZero Slice Slice3 String Type Uint"},
		{Name: "ValueError", Value: (*reflect.ValueError)(nil), With: "Error Kind Method"},

		{Name: "Append", Value: reflect.Append},
		{Name: "AppendSlice", Value: reflect.AppendSlice},
		{Name: "Copy", Value: reflect.Copy},
		{Name: "DeepEqual", Value: reflect.DeepEqual},
		{Name: "FuncOf", Value: reflect.FuncOf},
		{Name: "Indirect", Value: reflect.Indirect},
		{Name: "MakeFunc", Value: reflect.MakeFunc},
		{Name: "MakeMap", Value: reflect.MakeMap},
		{Name: "MakeMapWithSize", Value: reflect.MakeMapWithSize},
		{Name: "MakeSlice", Value: reflect.MakeSlice},
		{Name: "MapOf", Value: reflect.MapOf},
		{Name: "New", Value: reflect.New},
		{Name: "PointerTo", Value: reflect.PointerTo},
		{Name: "PtrTo", Value: reflect.PtrTo},
		{Name: "SliceOf", Value: reflect.SliceOf},
		{Name: "Swapper", Value: reflect.Swapper},
		{Name: "TypeOf", Value: reflect.TypeOf},
		{Name: "ValueOf", Value: reflect.ValueOf},
		{Name: "VisibleFields", Value: reflect.VisibleFields},
		{Name: "Zero", Value: reflect.Zero},

		{Name: "BothDir", Value: reflect.BothDir},
		{Name: "RecvDir", Value: reflect.RecvDir},
		{Name: "SendDir", Value: reflect.SendDir},

		{Name: "Array", Value: reflect.Array},
		{Name: "Bool", Value: reflect.Bool},
		{Name: "Chan", Value: reflect.Chan},
		{Name: "Complex128", Value: reflect.Complex128},
		{Name: "Complex64", Value: reflect.Complex64},
		{Name: "Float32", Value: reflect.Float32},
		{Name: "Float64", Value: reflect.Float64},
		{Name: "Func", Value: reflect.Func},
		{Name: "Int", Value: reflect.Int},
		{Name: "Int16", Value: reflect.Int16},
		{Name: "Int32", Value: reflect.Int32},
		{Name: "Int64", Value: reflect.Int64},
		{Name: "Int8", Value: reflect.Int8},
		{Name: "Interface", Value: reflect.Interface},
		{Name: "Invalid", Value: reflect.Invalid},
		{Name: "Map", Value: reflect.Map},
		{Name: "Pointer", Value: reflect.Pointer},
		{Name: "Ptr", Value: reflect.Ptr},
		{Name: "Slice", Value: reflect.Slice},
		{Name: "String", Value: reflect.String},
		{Name: "Struct", Value: reflect.Struct},
		{Name: "Uint", Value: reflect.Uint},
		{Name: "Uint16", Value: reflect.Uint16},
		{Name: "Uint32", Value: reflect.Uint32},
		{Name: "Uint64", Value: reflect.Uint64},
		{Name: "Uint8", Value: reflect.Uint8},
		{Name: "Uintptr", Value: reflect.Uintptr},
		{Name: "UnsafePointer", Value: reflect.UnsafePointer},
	},
	Denied: []rows.Denial{
		{Names: "ArrayOf StructOf", Why: "types made at run time, of a size that no check of the source has seen, are never freed", Instead: "reflect.SliceOf"},
		{Names: "ChanOf MakeChan Select SelectCase SelectDefault SelectDir SelectRecv SelectSend Value.Close Value.Recv Value.Send Value.TryRecv Value.TrySend", Why: "channels are those of the source, which deadlocks are told from", Instead: "select"},
		{Names: "NewAt SliceAt SliceHeader StringHeader Value.InterfaceData Value.SetPointer Value.UnsafeAddr Value.UnsafePointer", Why: "memory is not for scripts"},
		{Names: "Method.Func", Why: "a method without its receiver could be called on any", Instead: "reflect.Value.Method"},
		{Names: "Value.Fields Value.Methods Value.Seq Value.Seq2", Why: "sequences of values", Instead: "reflect.Value.Field, Method, Index and MapRange"},
	},
}
