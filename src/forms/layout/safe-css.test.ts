import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CssNode, generate, parse, walk } from 'css-tree';
import * as fc from 'fast-check';
import { anyCss } from './css.examples.ts';
import { safeCss } from './index.ts';

const STRING = /"(?:[^"\\]|\\.)*"/gs;
const RULE = 'a{color:red}';
const safe = (css: string) => safeCss(css, '#s');
const padded = (length: number) => RULE + ' '.repeat(length - RULE.length);
const nested = (depth: number) => '@media all{'.repeat(depth) + RULE + '}'.repeat(depth);

test('every rule is about what stands in the scope', () => {
  for (const [css, expected] of [
    ['.a > b, c + d{color:red}', '#s .a>b,#s c+d{color:red}'],
    ['body{margin:0}:root{--x:1px}html body .a{color:var(--x)}', '#s{margin:0}#s{--x:1px}#s .a{color:var(--x)}'],
    ['body.dark .a{color:red}', '#s.dark .a{color:red}'],
    ['#carepost-form:hover::after{content:"x"}', '#s #layout-carepost-form:hover::after{content:"x"}'],
    ['.md\\:w:nth-child(2n + 1){color:red}', '#s .md\\:w:nth-child(2n+1){color:red}'],
  ] as const)
    assert.equal(safe(css), expected, css);
  for (const selector of ['body ~ .x', 'html + a', '> .x', '~ .x', '& a', ':host', '::part(a)', 'svg|a', '*|*'])
    assert.equal(safe(`${selector}{color:red}`), '', selector);
});

test('selectors cannot ask for attributes, wherever these stand', () => {
  for (const selector of [
    '[value^=a]',
    'input[value]',
    'a:not([x])',
    ':has(> [x])',
    ':is(a,[x])',
    ':nth-child(1 of [x])',
  ])
    assert.equal(safe(`${selector},b{color:red}`), '#s b{color:red}', selector);
});

test('only media, supports and keyframes stay of the rules with an @, animations under names of their own', () => {
  assert.equal(safe('@media (max-width: 600px){a{color:red}}'), '@media (max-width:600px){#s a{color:red}}');
  assert.equal(safe('@supports (display: grid){a{color:red}}'), '@supports (display:grid){#s a{color:red}}');
  assert.equal(
    safe('@keyframes k{from{color:red}50%{background:url(x)}}a{animation:k 1s ease}b{animation-name:k, other}'),
    '@keyframes layout-k{from{color:red}50%{}}#s a{animation:layout-k 1s ease}#s b{animation-name:layout-k,other}',
  );
  for (const css of [
    '@import "x";',
    '@import url(x);',
    '@font-face{font-family:x;src:url(x)}',
    '@namespace url(x);',
    '@property --x{syntax:"*"}',
    '@layer a{b{color:red}}',
    '@scope (a){b{color:red}}',
    '@page{margin:0}',
    '@supports (background:url(x)){a{color:red}}',
    '@supports selector([x]){a{color:red}}',
    '@keyframes "k"{from{color:red}}',
  ])
    assert.equal(safe(css), '', css);
});

test('values load nothing, read no attribute and leave their place neither', () => {
  for (const declaration of [
    'background:url(x)',
    'background:URL("x")',
    'background:u\\72l(x)',
    'background:image-set("x" 1x)',
    'background:-webkit-image-set("x" 1x)',
    'background:cross-fade(url(x),red)',
    'background:element(#a)',
    'background:paint(x)',
    'background:src("x")',
    'color:var(--x,url(x))',
    '--x:url(x)',
    '--x:{a:b}',
    'width:expression(alert(1))',
    'filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src="x")',
    'behavior:url(x)',
    '-moz-binding:url(x)',
    'content:attr(value)',
    'content:var(--x)',
    'content:"</style><script>"',
    'position:fixed',
    'position:STICKY',
    'position:var(--x)',
    'position:\\66ixed',
    'z-index:1001',
    'z-index:-1001',
    'z-index:calc(999*999)',
    'all:unset',
    'color:red\\9',
  ])
    assert.equal(safe(`a{${declaration}}`), '', declaration);
  const kept = [
    'color:red!important',
    'background:linear-gradient(red,#00f)',
    'width:calc(1px + (2*3px))',
    'position:absolute',
    'z-index:1000',
    'z-index:-1000',
    'content:"→ x"',
    'font-family:"Open Sans",serif',
    'grid-template-areas:"a b""c d"',
    '--brand:#0b5cad',
    'margin:-1px auto',
  ].map((declaration) => `#s a{${declaration}}`);
  assert.equal(safe(kept.map((rule) => rule.slice('#s '.length)).join('')), kept.join(''));
});

test('nothing ends the style element', () => {
  for (const css of [
    '</style><script>alert(1)</script>a{color:red}',
    'a{color:red}</style>',
    'a{content:"\\3c/style>"}',
  ])
    assert.ok(!safe(css).includes('<'), css);
  assert.equal(safe('.\\3c \\2fstyle{color:red}'), '#s .\\<\\/style{color:red}');
});

test('what is too long or nested too deep is left out', () => {
  assert.equal(safe(padded(1_048_576)), '#s a{color:red}');
  assert.equal(safe(padded(1_048_577)), '');
  assert.ok(safe(nested(19)).includes('#s a{color:red}'));
  assert.equal(safe(nested(20)), '');
  assert.ok(safe('a,'.repeat(200_000).concat('b{color:red}')).length <= 2 * 1_048_576);
});

test('what is full of mistakes is read in no time', () => {
  const begun = performance.now();
  for (const mistake of ['\n;!', 'a;', '}a;', '!{}'])
    assert.equal(safe(`a{top:1px}b{${mistake.repeat(100_000)}}`), '#s a{top:1px}');
  assert.ok(performance.now() - begun < 60_000); // to write about each mistake takes hours
});

test('it does not matter what an earlier style sheet left open', () => {
  for (const open of ['{', '(', '[']) {
    safe(open.repeat(20));
    assert.equal(safe('{a}}{{()'), '');
  }
});

test('whatever comes in, nothing that is written loads, asks for attributes or leaves the scope', () => {
  fc.assert(
    fc.property(anyCss, (css) => {
      const written = safe(css);
      assert.ok(!written.includes('</'));
      assert.doesNotMatch(
        written.replace(STRING, ''),
        /url\(|@(import|font-face|namespace|property|charset|layer)|position:(fixed|sticky)/i,
      );
      walk(parse(written, { onParseError: (error) => assert.fail(error.message) }), function check(node: CssNode) {
        assert.ok(!['AttributeSelector', 'Url', 'NestingSelector'].includes(node.type), node.type);
        if (node.type !== 'Rule' || this.atrule?.name === 'keyframes') return;
        assert.ok(node.prelude.type === 'SelectorList');
        for (const selector of node.prelude.children) assert.match(generate(selector), /^#s( |$|[.:#])/);
      });
    }),
    { numRuns: 1_000 },
  );
});
