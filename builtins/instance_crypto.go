package builtins

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"hash"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The functions below are generic in the type that makes hashes; any other than
// hash.Hash itself is used as one.

// keyHash counts its work: a key is made of as many hashes as the script says.
type keyHash struct {
	hash.Hash
	env *Env
}

// sumTicks is the work of a hash of some hundred bytes.
const sumTicks = 30

func (h *keyHash) Sum(b []byte) []byte {
	h.env.Work(sumTicks)
	h.env.Check()
	return h.Hash.Sum(b)
}

// hashMaker is a function that makes hashes of some type.
func hashMaker(e *Env, f reflect.Value) func() hash.Hash {
	return func() hash.Hash { return &keyHash{f.Call(nil)[0].Interface().(hash.Hash), e} }
}

func hkdfExtract(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
	key, err := hkdf.Extract(hashMaker(e, a[0]), a[1].Bytes(), a[2].Bytes())
	return keyResult(key, err)
}

func hkdfExpand(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
	e.Charge(a[3].Int())
	key, err := hkdf.Expand(hashMaker(e, a[0]), a[1].Bytes(), a[2].String(), int(a[3].Int()))
	return keyResult(key, err)
}

func hkdfKey(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
	e.Charge(a[4].Int())
	key, err := hkdf.Key(hashMaker(e, a[0]), a[1].Bytes(), a[2].Bytes(), a[3].String(), int(a[4].Int()))
	return keyResult(key, err)
}

func pbkdf2Key(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
	e.Charge(a[4].Int())
	key, err := pbkdf2.Key(hashMaker(e, a[0]), a[1].String(), a[2].Bytes(), int(a[3].Int()), int(a[4].Int()))
	return keyResult(key, err)
}

func keyResult(key []byte, err error) []reflect.Value {
	failed := reflect.Zero(shim.ErrorType)
	if err != nil {
		failed = reflect.ValueOf(err)
	}
	return []reflect.Value{reflect.ValueOf(key), failed}
}
