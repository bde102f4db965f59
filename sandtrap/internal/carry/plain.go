package carry

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
)

// ReadPlain reads a struct of plain data into what into points to, as package cbor writes it: structs are maps by the
// tags of their fields. Each field is there once at most, and there are no others. It takes about room bytes of memory
// at most: an item may be a byte of data, and stand for a hundred times as much. An error matches ErrFormat.
func ReadPlain(data []byte, into any, room int64) (err error) {
	defer caught(&err)
	r := &plainReader{reader{data: data, room: room}, map[reflect.Type][]plainField{}}
	r.read(into, nil)
	if len(r.data) > 0 {
		fail("%d bytes after its end", len(r.data))
	}
	return nil
}

// A plainReader reads structs of plain data.
type plainReader struct {
	reader
	fields map[reflect.Type][]plainField
}

// A plainField is a field of a struct. Texts such as kinds are the same again and again: the last one is kept.
type plainField struct {
	name  string
	index []int
	last  string
}

// read reads what p points to, which may be a text that is often the one in last.
func (r *plainReader) read(p any, last *string) {
	if r.null() {
		return
	}
	switch p := p.(type) {
	case *string:
		*p = r.text(last)
	case *int:
		*p = int(r.int64())
	case *int64:
		*p = r.int64()
	case *bool:
		*p = r.bool()
	case *[]byte:
		b := r.take(r.want(majorBytes))
		r.alloc(len(b), 1)
		*p = bytes.Clone(b)
	case *[]int:
		*p = plainList(r, func() int { return int(r.int64()) })
	case *[]int64:
		*p = plainList(r, r.int64)
	case *[]string:
		*p = plainList(r, func() string { return r.text(nil) })
	case *map[string]int:
		*p = plainMap(r, func() int { return int(r.int64()) })
	case *map[string]string:
		*p = plainMap(r, func() string { return r.text(nil) })
	default:
		r.structs(reflect.ValueOf(p).Elem())
	}
}

// structs reads a struct, a pointer to one, or a list of them.
func (r *plainReader) structs(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		r.alloc(1, v.Type().Elem().Size())
		v.Set(reflect.New(v.Type().Elem()))
		r.structure(v.Elem(), r.fieldsOf(v.Type().Elem()))
	case reflect.Slice:
		n := r.count()
		r.alloc(n, v.Type().Elem().Size())
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fields := r.fieldsOf(v.Type().Elem())
		for i := range n {
			r.structure(v.Index(i), fields)
		}
	default:
		r.structure(v, r.fieldsOf(v.Type()))
	}
}

func (r *plainReader) structure(v reflect.Value, fields []plainField) {
	seen := uint64(0)
	for range r.pairs() {
		name := r.take(r.want(majorText))
		i := slices.IndexFunc(fields, func(f plainField) bool { return f.name == string(name) })
		if i < 0 || seen&(1<<i) != 0 {
			fail("a field %q too many", name)
		}
		seen |= 1 << i
		r.read(v.FieldByIndex(fields[i].index).Addr().Interface(), &fields[i].last)
	}
}

// fieldsOf are the fields of a struct that have a tag, also of structs that it embeds.
func (r *plainReader) fieldsOf(t reflect.Type) []plainField {
	list, ok := r.fields[t]
	if !ok {
		for _, f := range reflect.VisibleFields(t) {
			if name, tagged := f.Tag.Lookup("cbor"); tagged && name != "-" {
				name, _, _ := strings.Cut(name, ",")
				list = append(list, plainField{name: name, index: f.Index})
			}
		}
		r.fields[t] = list
	}
	return list
}

// plainList reads a list.
func plainList[T any](r *plainReader, read func() T) []T {
	n := r.count()
	r.alloc(n, reflect.TypeFor[T]().Size())
	list := make([]T, n)
	for i := range list {
		list[i] = read()
	}
	return list
}

// plainMap reads a map with keys that are texts.
func plainMap[T any](r *plainReader, read func() T) map[string]T {
	n := r.pairs()
	r.alloc(n, 2*(16+reflect.TypeFor[T]().Size())) // a map has free places
	m := make(map[string]T, n)
	for range n {
		key := r.text(nil)
		m[key] = read()
	}
	if len(m) != n {
		fail("a key that is there twice")
	}
	return m
}

// pairs reads the head of a map. Each pair has two bytes at least.
func (r *plainReader) pairs() int {
	n := r.want(majorMap)
	if n > uint64(len(r.data))/2 {
		fail("%d pairs are not there", n)
	}
	return int(n)
}

// text reads a text, which is often the one in last, if that is not nil.
func (r *plainReader) text(last *string) string {
	b := r.take(r.want(majorText))
	if last != nil && *last == string(b) {
		return *last
	}
	r.alloc(len(b), 1)
	s := string(b)
	if last != nil {
		*last = s
	}
	return s
}
