// Collapsed allocation stacks by grafana/jfr-parser, event by event.
//
// Arguments: recording, output file.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/grafana/jfr-parser/parser"
	"github.com/grafana/jfr-parser/parser/types"
)

// sampleKey names a sum within one chunk: ids mean nothing beyond it.
type sampleKey struct {
	stack types.StackTraceRef
	class types.ClassRef
}

type sums struct {
	byKey  map[sampleKey]*int64
	byText map[string]*int64
}

// add finds the sum of a key by its text only once in a chunk.
func (s *sums) add(p *parser.Parser, key sampleKey, bytes uint64) {
	sum := s.byKey[key]
	if sum == nil {
		text := stackText(p, key.stack) + ";" + readable(className(p, key.class))
		if sum = s.byText[text]; sum == nil {
			sum = new(int64)
			s.byText[text] = sum
		}
		s.byKey[key] = sum
	}
	*sum += int64(bytes)
}

func (s *sums) read(recording []byte) error {
	p := parser.NewParser(recording, parser.Options{})
	var chunk parser.ChunkHeader
	for {
		event, err := p.ParseEvent()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header := p.ChunkHeader(); header != chunk {
			chunk = header
			clear(s.byKey)
		}
		switch event {
		case p.TypeMap.T_ALLOC_IN_NEW_TLAB:
			e := &p.ObjectAllocationInNewTLAB
			s.add(p, sampleKey{e.StackTrace, e.ObjectClass}, e.TlabSize)
		case p.TypeMap.T_ALLOC_OUTSIDE_TLAB:
			e := &p.ObjectAllocationOutsideTLAB
			s.add(p, sampleKey{e.StackTrace, e.ObjectClass}, e.AllocationSize)
		}
	}
}

func (s *sums) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<16)
	for text, sum := range s.byText {
		fmt.Fprintf(out, "%s %d\n", text, *sum)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func stackText(p *parser.Parser, ref types.StackTraceRef) string {
	stack := p.GetStacktrace(ref)
	if stack == nil || len(stack.Frames) == 0 {
		return "[no stack]"
	}
	var text strings.Builder
	for i := len(stack.Frames) - 1; i >= 0; i-- {
		if method := p.GetMethod(stack.Frames[i].Method); method == nil {
			text.WriteString("?")
		} else {
			text.WriteString(className(p, method.Type))
			text.WriteByte('.')
			text.WriteString(p.GetSymbolString(method.Name))
		}
		if i > 0 {
			text.WriteByte(';')
		}
	}
	return text.String()
}

func className(p *parser.Parser, ref types.ClassRef) string {
	class := p.GetClass(ref)
	if class == nil {
		return "?"
	}
	return strings.ReplaceAll(p.GetSymbolString(class.Name), "/", ".")
}

var primitives = map[byte]string{
	'Z': "boolean", 'B': "byte", 'C': "char", 'S': "short",
	'I': "int", 'J': "long", 'F': "float", 'D': "double",
}

// readable turns the name of an array class into Java's: [[I is int[][].
func readable(name string) string {
	element := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(element)
	if dimensions == 0 {
		return name
	}
	if primitive, found := primitives[element[0]]; found {
		element = primitive
	} else {
		element = element[1 : len(element)-1]
	}
	return element + strings.Repeat("[]", dimensions)
}

func run(recording, output string) error {
	bytes, err := os.ReadFile(recording)
	if err != nil {
		return err
	}
	s := sums{byKey: map[sampleKey]*int64{}, byText: map[string]*int64{}}
	if err := s.read(bytes); err != nil {
		return err
	}
	return s.write(output)
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
