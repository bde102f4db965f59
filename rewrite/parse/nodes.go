package parse

// A nodeRow says whether a script may hold syntax of one type of node.
type nodeRow struct {
	Allowed bool
	Why     string
}

// nodes decides on every type of node in go/ast, by the name of the type.
// What has no row is refused: a new release's syntax waits here until someone has
// thought about it.
var nodes = map[string]nodeRow{
	// Comments never reach the parser.
	"*ast.Comment":      {false, "comments are blanked before parsing, so that no directive or //line has an effect"},
	"*ast.CommentGroup": {false, "as Comment"},
	"*ast.Directive":    {false, "as Comment; never part of a syntax tree"},

	// Fields and names.
	"*ast.Field":     {true, "declares names; reserved ones were refused by the scan"},
	"*ast.FieldList": {true, "holds fields"},
	"*ast.Ident":     {true, "what it means is decided against the universe"},

	// Expressions.
	"*ast.BadExpr":        {false, "stands for text that did not parse"},
	"*ast.Ellipsis":       {true, "variadic parameters and [...]T"},
	"*ast.BasicLit":       {true, "a constant; its size was bounded by the scan"},
	"*ast.FuncLit":        {true, "its body gets a tick"},
	"*ast.CompositeLit":   {true, "an allocation that the engine meters"},
	"*ast.ParenExpr":      {true, "no meaning of its own"},
	"*ast.SelectorExpr":   {true, "goes through a gate unless it selects from a type of the script"},
	"*ast.IndexExpr":      {true, "bounds are checked at run time; instances of generics are bounded by Check"},
	"*ast.IndexListExpr":  {true, "as IndexExpr, for several type arguments"},
	"*ast.SliceExpr":      {true, "bounds are checked at run time"},
	"*ast.TypeAssertExpr": {true, "finds only methods that the type shows to scripts"},
	"*ast.CallExpr":       {true, "calls the script's own functions, or a gate"},
	"*ast.StarExpr":       {true, "pointers of the script; no arithmetic on them"},
	"*ast.UnaryExpr":      {true, "plain computation; receiving can block, which the engine sees"},
	"*ast.BinaryExpr":     {true, "plain computation; concatenation is metered by the engine"},
	"*ast.KeyValueExpr":   {true, "part of a composite literal"},
	"*ast.ArrayType":      {true, "sizes are bounded by Check"},
	"*ast.StructType":     {true, "sizes are bounded by Check"},
	"*ast.FuncType":       {true, "a type"},
	"*ast.InterfaceType":  {true, "a type, or a constraint"},
	"*ast.MapType":        {true, "a type; allocation is metered by the engine"},
	"*ast.ChanType":       {true, "a type; operations are the engine's"},

	// Statements.
	"*ast.BadStmt":        {false, "stands for text that did not parse"},
	"*ast.DeclStmt":       {true, "as GenDecl, in a function"},
	"*ast.EmptyStmt":      {true, "does nothing"},
	"*ast.LabeledStmt":    {true, "a way back to it is a loop or a goto, and both tick"},
	"*ast.ExprStmt":       {true, "as the expression"},
	"*ast.SendStmt":       {true, "can block, which the engine sees"},
	"*ast.IncDecStmt":     {true, "as an assignment"},
	"*ast.AssignStmt":     {true, "what must not be assigned is refused by Check"},
	"*ast.GoStmt":         {true, "starts a task, which the engine counts"},
	"*ast.DeferStmt":      {true, "the deferred function ticks as any other"},
	"*ast.ReturnStmt":     {true, "leaves a function"},
	"*ast.BranchStmt":     {true, "goto gets a tick; the others leave a loop or go to its next tick"},
	"*ast.BlockStmt":      {true, "holds statements"},
	"*ast.IfStmt":         {true, "no loop"},
	"*ast.CaseClause":     {true, "no loop"},
	"*ast.SwitchStmt":     {true, "no loop"},
	"*ast.TypeSwitchStmt": {true, "as TypeAssertExpr"},
	"*ast.CommClause":     {true, "can block, which the engine sees"},
	"*ast.SelectStmt":     {true, "can block, which the engine sees"},
	"*ast.ForStmt":        {true, "its body gets a tick"},
	"*ast.RangeStmt":      {true, "its body gets a tick"},

	// Declarations.
	"*ast.ImportSpec": {true, "C, unsafe, dot imports and most blank ones are refused; the rest is the universe's"},
	"*ast.ValueSpec":  {true, "declares constants or variables"},
	"*ast.TypeSpec":   {true, "declares a type; its size is bounded by Check"},
	"*ast.BadDecl":    {false, "stands for text that did not parse"},
	"*ast.GenDecl":    {true, "holds specs"},
	"*ast.FuncDecl":   {true, "its body gets a tick; without a body it would be code from elsewhere, and is refused"},
	"*ast.File":       {true, "the root of what is parsed"},
	"*ast.Package":    {false, "deprecated, and never part of a file"},
}
