package worker

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// makeTypes makes those that stand for types of the host.
func (j *worker) makeTypes(list []jobs.Type) (err error) {
	texts := []carry.TypeText{}
	for _, t := range list {
		text := carry.TypeText{Name: t.Name, Shape: t.Shape, Hides: t.Hides, Given: t.Given}
		for _, f := range t.Fields {
			text.Fields = append(text.Fields, carry.FieldText{Name: f.Name, Tag: f.Tag, Embedded: f.Embedded, Type: f.Type})
		}
		for _, k := range t.Recursive {
			text.Recursive = append(text.Recursive, carry.RecursiveText{Number: k.Number, Type: k.Type})
		}
		texts = append(texts, text)
	}
	j.types, err = carry.MakeTypes(texts)
	return err
}

// side is what the functions of the plan have of the host.
func (j *worker) side() *carry.Side {
	return &carry.Side{Types: j.types, Handles: j.handles.Load, Context: j.context}
}

// hostType makes what scripts see of a type of the host's.
func (j *worker) hostType(m jobs.Member, prefix string) (any, error) {
	if m.Struct.Type < 0 || m.Struct.Type >= j.types.Len() {
		return nil, fmt.Errorf("there is no type %d", m.Struct.Type)
	}
	methods, err := j.members(m.Struct.Methods, prefix+m.Name+".")
	if err != nil {
		return nil, err
	}
	for name, fn := range methods {
		methods[name] = j.types.StubMethod(fn)
	}
	made := builtins.Made{Type: j.types.Nil(m.Struct.Type), Methods: methods, Denied: m.Struct.Denied, Held: j.types.Held(m.Struct.Type), Recursive: j.types.Recursive(m.Struct.Type)}
	for _, f := range j.types.Text(m.Struct.Type).Fields {
		made.Fields = append(made.Fields, f.Name)
	}
	if m.Struct.Opaque {
		return sandtrap.Member{Value: made, Opaque: true}, nil
	}
	return made, nil
}
