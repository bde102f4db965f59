// Package detached makes types of go/types that lead to no scope. The parameters of a function know the package and the
// scope that they are declared in, so who keeps its type keeps all that was declared there.
//
// It may not import a package of this module.
package detached

import (
	"go/token"
	"go/types"
)

// Type is t, or a type identical to it without scopes if it is a signature that is not generic, or a tuple. Types that
// these are made of are what they were.
func Type(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Tuple:
		return tuple(t)
	case *types.Signature:
		if t.Recv() == nil && t.TypeParams() == nil && t.RecvTypeParams() == nil {
			return Signature(t)
		}
	}
	return t
}

// Signature is s, which is not generic, without scopes and receiver.
func Signature(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, tuple(s.Params()), tuple(s.Results()), s.Variadic())
}

func tuple(t *types.Tuple) *types.Tuple {
	list := make([]*types.Var, 0, t.Len())
	for v := range t.Variables() {
		list = append(list, types.NewParam(token.NoPos, nil, v.Name(), v.Type()))
	}
	return types.NewTuple(list...)
}
