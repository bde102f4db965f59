package builtins

import (
	"html/template"
	texttemplate "text/template"
)

var stdHtmlTemplate = Package{
	Path:  "html/template",
	needy: true,
	Members: []Member{
		{Name: "CSS", Value: (*template.CSS)(nil)},
		{Name: "Error", Value: (*template.Error)(nil), With: "Description Error ErrorCode Line Name Node"},
		{Name: "ErrorCode", Value: (*template.ErrorCode)(nil)},
		{Name: "FuncMap", Value: (*texttemplate.FuncMap)(nil)},
		{Name: "HTML", Value: (*template.HTML)(nil)},
		{Name: "HTMLAttr", Value: (*template.HTMLAttr)(nil)},
		{Name: "JS", Value: (*template.JS)(nil)},
		{Name: "JSStr", Value: (*template.JSStr)(nil)},
		{Name: "Srcset", Value: (*template.Srcset)(nil)},
		{Name: "Template", Value: (*template.Template)(nil), With: "DefinedTemplates Lookup Name New Option Templates Tree", Handle: true},
		{Name: "Template.AddParseTree", Value: htmlAddParseTree, Why: "scripts can make trees that contain themselves"},
		{Name: "Template.Clone", Value: htmlClone},
		{Name: "Template.Delims", Value: htmlDelims},
		{Name: "Template.Execute", Value: htmlExecute, Why: "the engine evaluates the commands of templates: data and functions are the script's"},
		{Name: "Template.ExecuteTemplate", Value: htmlExecuteTemplate, Why: "the engine evaluates the commands of templates: data and functions are the script's"},
		{Name: "Template.Funcs", Value: htmlFuncs, Why: "the functions are the script's: the engine keeps them"},
		{Name: "Template.Parse", Value: htmlParse, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFS", Value: htmlTemplates.fsMethod, Why: "a tree is many times larger than its text"},
		{Name: "Template.ParseFiles", Value: htmlTemplates.filesMethod, Needs: "files", Why: "the files are the script's"},
		{Name: "Template.ParseGlob", Value: htmlTemplates.globMethod, Needs: "files", Why: "the files are the script's"},
		{Name: "URL", Value: (*template.URL)(nil)},

		{Name: "HTMLEscape", Value: templateHTMLEscape},
		{Name: "HTMLEscapeString", Value: templateHTMLEscapeString},
		{Name: "HTMLEscaper", Value: templateHTMLEscaper},
		{Name: "IsTrue", Value: template.IsTrue},
		{Name: "JSEscape", Value: templateJSEscape},
		{Name: "JSEscapeString", Value: templateJSEscapeString},
		{Name: "JSEscaper", Value: templateJSEscaper},
		{Name: "Must", Value: template.Must},
		{Name: "New", Value: template.New},
		{Name: "ParseFS", Value: htmlTemplates.fsFunc, Why: "a tree is many times larger than its text"},
		{Name: "ParseFiles", Value: htmlTemplates.filesFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "ParseGlob", Value: htmlTemplates.globFunc, Needs: "files", Why: "the files are the script's"},
		{Name: "URLQueryEscaper", Value: templateURLQueryEscaper},

		{Name: "ErrAmbigContext", Value: template.ErrAmbigContext},
		{Name: "ErrBadHTML", Value: template.ErrBadHTML},
		{Name: "ErrBranchEnd", Value: template.ErrBranchEnd},
		{Name: "ErrEndContext", Value: template.ErrEndContext},
		{Name: "ErrJSTemplate", Value: template.ErrJSTemplate},
		{Name: "ErrNoSuchTemplate", Value: template.ErrNoSuchTemplate},
		{Name: "ErrOutputContext", Value: template.ErrOutputContext},
		{Name: "ErrPartialCharset", Value: template.ErrPartialCharset},
		{Name: "ErrPartialEscape", Value: template.ErrPartialEscape},
		{Name: "ErrPredefinedEscaper", Value: template.ErrPredefinedEscaper},
		{Name: "ErrRangeLoopReentry", Value: template.ErrRangeLoopReentry},
		{Name: "ErrSlashAmbig", Value: template.ErrSlashAmbig},
		{Name: "OK", Value: template.OK},
	},
	Denied: []Denial{},
}
