// Renders a chart as Helm does, with Helm's template engine and functions, and prints the documents. For tests: where there is Helm, use
// Helm.
//
//	render [-upgrade] <chart> [values file…]
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	isUpgrade := flag.Bool("upgrade", false, "as an upgrade, and not as an installation")
	flag.Parse()
	if err := render(flag.Arg(0), flag.Args()[1:], *isUpgrade); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart string, files []string, isUpgrade bool) error {
	merged := values{}
	for _, file := range append([]string{filepath.Join(chart, "values.yaml")}, files...) {
		given, err := readYaml(file)
		if err != nil {
			return err
		}
		merge(merged, given)
	}
	about, err := readYaml(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	described := values{}
	for name, value := range about {
		described[strings.ToUpper(name[:1])+name[1:]] = value
	}
	data := values{
		"Values":  merged,
		"Chart":   described,
		"Release": values{"Name": "tollgate", "Namespace": "payments", "Service": "Helm", "IsInstall": !isUpgrade, "IsUpgrade": isUpgrade, "Revision": 1},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range paths {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(path.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range paths {
		name := path.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		text, err := execute(all, name, data)
		if err != nil {
			return err
		}
		fmt.Printf("---\n# Source: %s\n%s\n", name, text)
	}
	return nil
}

// What Helm adds to text/template: sprig without the environment, and its own.
func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) { return execute(all, name, data) }
	known["tpl"] = func(text string, data interface{}) (string, error) {
		parsed, err := template.Must(all.Clone()).New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		return execute(parsed, "tpl", data)
	}
	known["required"] = func(sentence string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, errors.New(sentence)
		}
		return value, nil
	}
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["fromYaml"] = func(text string) (values, error) {
		read := values{}
		return read, yaml.Unmarshal([]byte(text), &read)
	}
	known["fromJson"] = func(text string) (values, error) {
		read := values{}
		return read, json.Unmarshal([]byte(text), &read)
	}
	return known
}

func execute(all *template.Template, name string, data interface{}) (string, error) {
	var text strings.Builder
	err := all.ExecuteTemplate(&text, name, data)
	return strings.ReplaceAll(text.String(), "<no value>", ""), err
}

func readYaml(file string) (values, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	read := values{}
	return read, yaml.Unmarshal(text, &read)
}

// Maps are merged, everything else is replaced.
func merge(into, from values) {
	for name, value := range from {
		inner, isMap := value.(values)
		outer, wasMap := into[name].(values)
		if isMap && wasMap {
			merge(outer, inner)
		} else {
			into[name] = value
		}
	}
}
