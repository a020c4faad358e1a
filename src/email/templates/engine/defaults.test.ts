import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, TemplateMistake } from './parse.ts';
import { renderTemplate } from './render.ts';
import { variablesOf } from './variables.ts';

const DATA = { name: 'Ann', empty: '', nothing: null, zero: 0, no: false, list: [], of: { city: '' } };

const FORMS: Record<string, string> = {
  '{{name default="there"}}': 'Ann',
  '{{gone default="there"}} {{gone default=\'you\'}}': 'there you',
  '{{empty default="a"}}{{nothing default="b"}}{{of.city default="c"}}{{of.street default="d"}}': 'abcd',
  '{{zero default="a"}}{{no default="b"}}': '0false',
  '{{list default="none"}}{{of default="none"}}': 'nonenone',
  '{{gone default=3}} {{gone default=1.5}} {{gone default=-2}} {{gone.0 default=7}}': '3 1.5 -2 7',
  '{{gone default=""}}|{{{gone default="x"}}}{{~ gone default="y" ~}} z': '|xyz',
  '{{gone default="}} {{name}}"}}': '}} {{name}}',
  '{{#each @root.words}}{{else}}{{gone default="e"}}{{/each}}{{#with of}}{{city default="f"}}{{/with}}': 'ef',
};

test('a default is written where the value is missing or empty, and then nothing is missing', () => {
  for (const [source, expected] of Object.entries(FORMS)) {
    for (const kind of ['html', 'text', 'header'] as const) {
      const template = parseTemplate(source, kind);
      const { text, missing } = renderTemplate(template, DATA);
      assert.equal(text, expected, source);
      assert.deepEqual(
        missing.filter((name) => name !== 'words'),
        [],
        source,
      );
    }
  }
  assert.deepEqual(variablesOf(parseTemplate('{{a.b default="x"}}', 'html')), ['a.b']);
});

test('a default is escaped for where it stands, like a value', () => {
  const html = '<p title="{{x default="<\'>"}}">{{x default="<&"}}</p><a href="{{x default="javascript:y"}}">';
  const { text } = renderTemplate(parseTemplate(html, 'html'), {});
  assert.equal(text, '<p title="&lt;&#x27;&gt;">&lt;&amp;</p><a href="#">');
});

test('only a literal can be a default, and nothing else can be named', () => {
  const refused: Record<string, RegExp> = {
    '{{a default=b}}': /line 1, column 13: a default is a text in quotes or a number/,
    '{{a default=true}}': /a default is/,
    '{{a default=null}}': /a default is/,
    '{{a default=(b c)}}': /a default is/,
    '{{a b default="c"}}': /helpers/,
    '{{a default="b" other="c"}}': /helpers/,
    '{{a other="b"}}': /helpers/,
    '{{#if a default="b"}}{{/if}}': /named arguments/,
    '{{#each a default="b"}}{{/each}}': /named arguments/,
    '{{if default="b"}}': /reserved/,
  };
  for (const [source, rule] of Object.entries(refused)) {
    assert.throws(() => parseTemplate(source, 'html'), TemplateMistake, source);
    assert.throws(() => parseTemplate(source, 'html'), { message: rule }, source);
  }
});

test('plain text is written as it is, with all its lines', () => {
  const source = 'Dear {{a}},\n{{#if b}}\n{{{b}}}\n{{/if}}\n<p title={{a}}>\r\n';
  const { text } = renderTemplate(parseTemplate(source, 'text'), { a: '<&"\n\tx', b: '</p>' });
  assert.equal(text, 'Dear <&"\n\tx,\n</p>\n<p title=<&"\n\tx>\r\n');
});
