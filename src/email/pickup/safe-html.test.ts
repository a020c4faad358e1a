import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { safeHtml } from './safe-html.ts';

const none = () => null;
const safe = (html: string) => safeHtml(html, none).html;

const TAGS =
  /^(a|abbr|address|article|b|blockquote|br|caption|center|code|col|colgroup|dd|del|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|ol|p|pre|q|s|section|small|span|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)$/;
const ATTRIBUTES =
  /^(align|alt|bgcolor|border|cellpadding|cellspacing|color|colspan|dir|height|href|lang|rel|rowspan|size|src|start|style|target|title|type|valign|width)$/;

/** What a browser would find in HTML that it must not. */
function findHarm(html: string): string[] {
  const harm: string[] = [];
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name);
      if (!TAGS.test(name)) harm.push(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (!ATTRIBUTES.test(attribute)) harm.push(attribute);
        if (attribute === 'href' && !/^(https?:|mailto:|tel:)/i.test(value)) harm.push(value);
        if (attribute === 'src' && !value.startsWith('data:image/')) harm.push(value);
        if (attribute === 'style' && /url|expression|\\|\/\*|position|@/i.test(value)) harm.push(value);
      }
    },
    onclosetag: () => void open.pop(),
    oncomment: (text) => void harm.push(text),
    onprocessinginstruction: (name) => void harm.push(name),
  });
  parser.end(html);
  return harm;
}

const piece = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<svg>',
    '</svg>',
    '<math><mtext>',
    '<table>',
    '<td>',
    '</table>',
    '<a href="',
    "<a href='",
    'javascript:alert(1)',
    'https://x.test',
    '"',
    "'",
    '>',
    '<',
    '/>',
    ' onerror=alert(1) ',
    '<img src=',
    'data:text/html,x',
    'data:image/svg+xml;base64,AA',
    '<iframe srcdoc="',
    '<meta http-equiv=refresh ',
    '<base href=//x>',
    '<form action=//x>',
    '<input autofocus onfocus=x>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '&lt;',
    '&#60;script&#62;',
    '\0',
    '<noscript>',
    '<template>',
    '<plaintext>',
    '<xmp>',
    '<textarea>',
    '</textarea>',
    '<title>',
    '<p style="',
    'position:fixed',
    'background:url(//x)',
    'width:expression(x)',
    '</p>',
    '</div>',
    '</main>',
    '<select>',
  ),
);

test('whatever goes in, only harmless elements, attributes and styles come out', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = safe(pieces.join(''));
      assert.deepEqual(findHarm(once), []);
    }),
    { numRuns: 3_000 },
  );
});

/** Whether every element that is opened is closed, the last one first. */
function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (slash === '' && !['br', 'col', 'hr', 'img'].includes(name)) open.push(name);
    if (slash !== '' && open.pop() !== name) return false;
  }
  return open.length === 0;
}

test('nothing that comes out closes what it has not opened, or leaves anything open', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = safe(pieces.join(''));
      assert.ok(isBalanced(once), once);
    }),
    { numRuns: 3_000 },
  );
});

test('text and looks of ordinary mail are kept', () => {
  const kept: [string, string][] = [
    ['<p>One &amp; <b>two</b><br>three', '<p>One &amp; <b>two</b><br>three</p>'],
    ['<html><head><title>t</title><style>p{}</style></head><body>x</body></html>', 'x'],
    [
      '<table width="600" cellpadding="0"><tr><td align="center" style="padding:4px">x</td></tr></table>',
      '<table width="600" cellpadding="0"><tr><td align="center" style="padding:4px">x</td></tr></table>',
    ],
    [
      '<a href="https://x.test/?a=1&amp;b" onclick="x">l</a>',
      '<a href="https://x.test/?a=1&amp;b" target="_blank" rel="noopener noreferrer nofollow">l</a>',
    ],
    ['<a href="#top" name="x">l</a>', '<a>l</a>'],
    ['<form><label>Name</label><button>Go</button></form>', 'NameGo'],
    ['a<script>b</script>c', 'ac'],
    ['1 < 2 > 0', '1 &lt; 2 &gt; 0'],
  ];
  for (const [html, expected] of kept) assert.equal(safe(html), expected);
});

const pictureOf = (id: string) => (id === 'a@b' ? '/files/0' : null);

test('pictures that came along are shown, and any left out is told of', () => {
  assert.deepEqual(safeHtml('<img src="CID:a@b" alt="x" width="1" onload="y">', pictureOf), {
    html: '<img src="/files/0" alt="x" width="1">',
    picturesLeftOut: false,
  });
  assert.deepEqual(safeHtml('<img src="cid:no" alt="<x>">', pictureOf), { html: '&lt;x&gt;', picturesLeftOut: true });
  assert.deepEqual(safeHtml('<img alt="x">', pictureOf), { html: 'x', picturesLeftOut: false });
  assert.ok(safe('<img src="data:image/png;base64,AAAA">').includes('src="data:image/png;base64,AAAA"'));
  assert.equal(safe('<img src="data:image/svg+xml;base64,AAAA">'), '');
});

test('of what is nested deeper than any letter the words are left, and nobody waits for them', () => {
  const deep = `<p>Dear <i>Ann</i>,</p>${'<b>'.repeat(600)}1 &lt; 2<script>x()</script>${'</b>'.repeat(600)}`;
  assert.equal(safe(deep).trim().replace(/\s+/g, ' '), 'Dear Ann , 1 &lt; 2');
  assert.match(safe(`${'<b>'.repeat(400)}x`), /<b>x<\/b>/);
  const started = performance.now();
  safe('<b>'.repeat(1_000_000));
  assert.ok(performance.now() - started < 20_000); // the square of it would be five minutes
});
