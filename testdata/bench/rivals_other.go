package main

import (
	"fmt"

	"github.com/d5/tengo/v2"
	gojavm "github.com/dop251/goja"
	lua "github.com/yuin/gopher-lua"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/sandtrap-go/sandtrap/testdata/bench/host"
	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
)

func goja(t tasks.Task) (runner, error) {
	text := source(t, ".js")
	if text == "" {
		return nil, nil
	}
	vm := gojavm.New()
	if err := vm.Set("add", host.Add); err != nil {
		return nil, err
	}
	if _, err := vm.RunString(text); err != nil {
		return nil, err
	}
	run, ok := gojavm.AssertFunction(vm.Get("run"))
	if !ok {
		return nil, fmt.Errorf("no function run")
	}
	return timed(func() (int64, error) {
		v, err := run(gojavm.Undefined())
		if err != nil {
			return 0, err
		}
		return v.ToInteger(), nil
	}), nil
}

// starlarkGo takes the file for Python where there is none of its own.
func starlarkGo(t tasks.Task) (runner, error) {
	text := source(t, ".star")
	if text == "" {
		text = source(t, ".py")
	}
	if text == "" || t.Name == "pingpong" { // has neither tasks nor generators
		return nil, nil
	}
	thread := &starlark.Thread{Name: t.Name}
	options := &syntax.FileOptions{While: true, Recursion: true, TopLevelControl: true}
	globals, err := starlark.ExecFileOptions(options, thread, t.Name, text, starlark.StringDict{
		"add": starlark.NewBuiltin("add", starlarkAdd), "sqrt": starlark.NewBuiltin("sqrt", starlarkSqrt),
	})
	if err != nil {
		return nil, err
	}
	return timed(func() (int64, error) {
		v, err := starlark.Call(thread, globals["run"], nil, nil)
		if err != nil {
			return 0, err
		}
		i, ok := v.(starlark.Int)
		if !ok {
			return 0, fmt.Errorf("result is a %s", v.Type())
		}
		n, _ := i.Int64()
		return n, nil
	}), nil
}

func starlarkAdd(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kw []starlark.Tuple) (starlark.Value, error) {
	var x, y int
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kw, 2, &x, &y); err != nil {
		return nil, err
	}
	return starlark.MakeInt(host.Add(x, y)), nil
}

func starlarkSqrt(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kw []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Float
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kw, 1, &x); err != nil {
		return nil, err
	}
	return starlark.Float(sqrt(float64(x))), nil
}

func gopherLua(t tasks.Task) (runner, error) {
	text := source(t, ".lua")
	if text == "" {
		return nil, nil
	}
	state := lua.NewState()
	state.SetGlobal("add", state.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LNumber(host.Add(l.CheckInt(1), l.CheckInt(2))))
		return 1
	}))
	if err := state.DoString(text); err != nil {
		return nil, err
	}
	run := state.GetGlobal("run")
	return timed(func() (int64, error) {
		if err := state.CallByParam(lua.P{Fn: run, NRet: 1, Protect: true}); err != nil {
			return 0, err
		}
		defer state.Pop(1)
		return int64(lua.LVAsNumber(state.Get(-1))), nil
	}), nil
}

func tengoVM(t tasks.Task) (runner, error) {
	text := source(t, ".tengo")
	if text == "" { // no sorting with a function, no tasks
		return nil, nil
	}
	s := tengo.NewScript([]byte(text + "\nresult := run()\n"))
	if err := s.Add("add", tengoAdd); err != nil {
		return nil, err
	}
	if err := s.Add("sqrt", tengoSqrt); err != nil {
		return nil, err
	}
	c, err := s.Compile()
	if err != nil {
		return nil, err
	}
	return timed(func() (int64, error) {
		if err := c.Run(); err != nil {
			return 0, err
		}
		return int64(c.Get("result").Int()), nil
	}), nil
}

func tengoAdd(args ...tengo.Object) (tengo.Object, error) {
	x, ok1 := tengo.ToInt(args[0])
	y, ok2 := tengo.ToInt(args[1])
	if !ok1 || !ok2 {
		return nil, tengo.ErrInvalidArgumentType{Name: "add"}
	}
	return &tengo.Int{Value: int64(host.Add(x, y))}, nil
}

func tengoSqrt(args ...tengo.Object) (tengo.Object, error) {
	x, ok := tengo.ToFloat64(args[0])
	if !ok {
		return nil, tengo.ErrInvalidArgumentType{Name: "sqrt"}
	}
	return &tengo.Float{Value: sqrt(x)}, nil
}
