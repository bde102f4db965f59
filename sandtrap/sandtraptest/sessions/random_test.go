package sessions

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
)

// A cellMaker makes cells that print, change and declare again variables of a few names, with the types that these have.
type cellMaker struct {
	*rand.Rand
	vars map[string]string // types of the variables by name
}

var (
	cellNames = []string{"a", "b", "c", "d"}
	cellTypes = []string{"int", "string", "[]int", "float64", "any", "func() int"}
)

// randomBlocks are sessions for TestSessionBlocks.
func randomBlocks(seed uint64, sessions int) (all [][]string) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range sessions {
		m := cellMaker{r, map[string]string{}}
		var cells []string
		for range 2 + r.IntN(3) {
			cells = append(cells, m.cell())
		}
		all = append(all, cells)
	}
	return all
}

// one is one of list.
func (m *cellMaker) one(list ...string) string { return list[m.IntN(len(list))] }

// literal is a value of type t, which may use int variables if that is a function.
func (m *cellMaker) literal(t string) string {
	k := fmt.Sprint(m.IntN(90) + 10)
	switch t {
	case "int":
		return k
	case "string":
		return `"s` + k + `"`
	case "[]int":
		return "[]int{" + k + "}"
	case "float64":
		return k + ".5"
	case "any":
		return "any(" + k + ")"
	}
	return "func() int { return " + m.value("int") + " }"
}

// value is an expression of type t that uses a variable if one fits.
func (m *cellMaker) value(t string) string {
	var list []string
	for _, name := range cellNames {
		list = append(list, valuesFrom(name, m.vars[name], t)...)
	}
	if len(list) == 0 || m.IntN(5) == 0 {
		return m.literal(t)
	}
	return m.one(list...)
}

// valuesFrom are expressions of type to that use the variable, which is of type from.
func valuesFrom(name, from, to string) (list []string) {
	if from == "" {
		return nil
	}
	if from == to {
		list = append(list, name)
	}
	switch from + " to " + to {
	case "[]int to int":
		list = append(list, "len("+name+")", name+"[0]")
	case "string to int":
		list = append(list, "len("+name+")")
	case "float64 to int":
		list = append(list, "int("+name+")")
	case "func() int to int":
		list = append(list, name+"()")
	case "int to []int":
		list = append(list, "[]int{"+name+"}", "func() []int { return []int{"+name+", 2} }()")
	case "int to float64":
		list = append(list, "float64("+name+")+0.25")
	}
	if to == "string" && from != "func() int" {
		list = append(list, "fmt.Sprint("+name+")", "func() string { return fmt.Sprint("+name+", 1) }()")
	}
	return list
}

// show prints some of the variables.
func (m *cellMaker) show() string {
	args := `"shows"`
	for _, name := range cellNames {
		if t := m.vars[name]; t == "func() int" {
			args += ", " + name + "()"
		} else if t != "" {
			args += ", " + name
		}
	}
	return "fmt.Println(" + args + ")"
}

// change changes a variable.
func (m *cellMaker) change() string {
	name := m.one(cellNames...)
	switch m.vars[name] {
	case "int":
		return name + "++"
	case "string":
		return name + ` += "+"`
	case "[]int":
		return name + "[0]++"
	case "float64":
		return name + " *= 2"
	case "any":
		return name + " = " + m.literal("int")
	}
	return "_ = 0"
}

// block declares a variable within a block of the cell.
func (m *cellMaker) block() string {
	outer := maps.Clone(m.vars)
	defer func() { m.vars = outer }()
	name, t := m.one(cellNames...), m.one(cellTypes...)
	v := m.value(t)
	m.vars[name] = t
	return "{\n" + name + " := " + v + "\n" + m.change() + "\n" + m.show() + "\n}"
}

// declare declares one variable or two. With := the type is another than before: of the same type it assigns.
func (m *cellMaker) declare(done map[string]bool) string {
	var names, values []string
	short := m.IntN(3) > 0
	types := map[string]string{}
	for range 1 + m.IntN(2) {
		name, t := m.one(cellNames...), m.one(cellTypes...)
		if done[name] || short && m.vars[name] == t {
			continue
		}
		done[name] = true
		if t == "func() int" { // which would call itself by its name
			delete(m.vars, name)
		}
		names, types[name] = append(names, name), t
	}
	if len(names) == 0 {
		return "_ = 0"
	}
	for _, name := range names {
		values = append(values, m.value(types[name]))
	}
	maps.Copy(m.vars, types)
	list := strings.Join(names, ", ")
	use := "\n_ = []any{" + list + "}"
	if short {
		return list + " := " + strings.Join(values, ", ") + use
	}
	return "var " + list + " = " + strings.Join(values, ", ") + use
}

func (m *cellMaker) cell() string {
	var lines []string
	done := map[string]bool{} // names that the cell has declared
	for range 2 + m.IntN(6) {
		switch m.IntN(8) {
		case 0, 1:
			lines = append(lines, m.show())
		case 2:
			lines = append(lines, m.change())
		case 3:
			lines = append(lines, m.block())
		default:
			lines = append(lines, m.declare(done))
		}
	}
	return strings.Join(append(lines, m.show()), "\n")
}
