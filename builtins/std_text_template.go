package builtins

import "text/template"

var stdTextTemplate = Package{
	Path:    "text/template",
	Holds:   "New=256",
	Bounded: "ExecError.Error ExecError.Unwrap Template.DefinedTemplates Template.ErrorContext Template.Lookup Template.Name Template.New Template.Option Template.Templates IsTrue Must New",
	needy:   true,
	Members: []Member{
		{Name: "ExecError", Value: (*template.ExecError)(nil), With: "Err Error Name Unwrap"},
		{Name: "FuncMap", Value: (*template.FuncMap)(nil)},
		{Name: "Template", Value: (*template.Template)(nil), With: "DefinedTemplates ErrorContext Lookup Name New Option Templates Tree", Handle: true},
		{Name: "Template.AddParseTree", Value: templateAddParseTree, Why: "scripts can make trees that contain themselves"},
		{Name: "Template.Clone", Value: templateClone},
		{Name: "Template.Delims", Value: templateDelims},
		{Name: "Template.Execute", Value: templateExecute, Why: "the engine executes templates: data and functions are the script's"},
		{Name: "Template.ExecuteTemplate", Value: templateExecuteTemplate, Why: "the engine executes templates: data and functions are the script's"},
		{Name: "Template.Funcs", Value: templateFuncs, Why: "the functions are the script's: the engine keeps them"},
		{Name: "Template.Parse", Value: templateParse, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFS", Value: textTemplates.fsMethod, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFiles", Value: textTemplates.filesMethod, Needs: "files", Why: "the files are the script's"},
		{Name: "Template.ParseGlob", Value: textTemplates.globMethod, Needs: "files", Why: "the files are the script's"},

		{Name: "HTMLEscape", Value: templateHTMLEscape},
		{Name: "HTMLEscapeString", Value: templateHTMLEscapeString},
		{Name: "HTMLEscaper", Value: templateHTMLEscaper},
		{Name: "IsTrue", Value: template.IsTrue},
		{Name: "JSEscape", Value: templateJSEscape},
		{Name: "JSEscapeString", Value: templateJSEscapeString},
		{Name: "JSEscaper", Value: templateJSEscaper},
		{Name: "Must", Value: template.Must},
		{Name: "New", Value: template.New},
		{Name: "ParseFS", Value: textTemplates.fsFunc, Why: "a tree is many times larger than its text"},
		{Name: "ParseFiles", Value: textTemplates.filesFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "ParseGlob", Value: textTemplates.globFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "URLQueryEscaper", Value: templateURLQueryEscaper},
	},
	Denied: []Denial{
		{Names: "Template.Copy", Why: "copies the tree, not the template", Instead: "Template.Clone, or Copy of its Tree"},
	},
}
