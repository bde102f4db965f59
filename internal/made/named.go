package made

import (
	"reflect"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Types with a name that are no structs cannot be made while a program runs, so a worker takes
// them from a stock: so many of each of these shapes. M tells those of one shape apart.
type (
	boolean[M any] bool
	text[M any]    string

	integer[M any]   int
	integer8[M any]  int8
	integer16[M any] int16
	integer32[M any] int32
	integer64[M any] int64
	natural[M any]   uint
	natural8[M any]  uint8
	natural16[M any] uint16
	natural32[M any] uint32
	natural64[M any] uint64
	float32s[M any]  float32
	float64s[M any]  float64

	bytes[M any]    []byte
	texts[M any]    []string
	integers[M any] []int
	floats[M any]   []float64
	values[M any]   []any

	textByText[M any]    map[string]string
	integerByText[M any] map[string]int
	floatByText[M any]   map[string]float64
	booleanByText[M any] map[string]bool
	valueByText[M any]   map[string]any
	textsByText[M any]   map[string][]string

	anything[M any] any // an interface, of which only the host knows the methods
)

// shapes names those with the name M, as parameters: a list of reflect types would be code for each M.
type shapes[M any] func(
	boolean[M], text[M],
	integer[M], integer8[M], integer16[M], integer32[M], integer64[M],
	natural[M], natural8[M], natural16[M], natural32[M], natural64[M],
	float32s[M], float64s[M],
	bytes[M], texts[M], integers[M], floats[M], values[M],
	textByText[M], integerByText[M], floatByText[M], booleanByText[M], valueByText[M], textsByText[M],
	anything[M],
)

// stock has for each shape, as the type without a name, those with one.
var stock = sync.OnceValue(func() map[reflect.Type][]reflect.Type {
	all := map[reflect.Type][]reflect.Type{}
	for one := range reflect.TypeFor[func(
		shapes[[0]int], shapes[[1]int], shapes[[2]int], shapes[[3]int], shapes[[4]int], shapes[[5]int], shapes[[6]int], shapes[[7]int],
		shapes[[8]int], shapes[[9]int], shapes[[10]int], shapes[[11]int], shapes[[12]int], shapes[[13]int], shapes[[14]int], shapes[[15]int],
	)]().Ins() {
		for t := range one.Ins() {
			all[Bare(t)] = append(all[Bare(t)], t)
		}
	}
	return all
})

// Bare is the type without a name that has the structure of t; nil if that is none of the stock's
// kinds.
func Bare(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(t.Elem())
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	case reflect.Interface:
		return reflect.TypeFor[any]()
	}
	return kinds.Types[t.Kind()]
}

// Named is the nth type with a name that has the structure of t; nil if there are not so many,
// or none at all. The name is none to show.
func Named(t reflect.Type, n int) reflect.Type {
	if s := stock()[Bare(t)]; n < len(s) {
		return s[n]
	}
	return nil
}

// Is reports a type that stands for one of the other process.
func Is(t reflect.Type) bool {
	if t.Name() == "" {
		_, ok := Name(t)
		return ok
	}
	return t.PkgPath() == ours && strings.HasSuffix(t.Name(), "]")
}

var ours = reflect.TypeFor[State]().PkgPath()
