import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { safeStyle } from './safe-style.ts';

test('declarations that change the look are kept, all else is dropped', () => {
  const kept: [string, string][] = [
    ['color: red; Font-Family: "Segoe UI", Arial', 'color:red;font-family:Segoe UI, Arial'],
    ['background-color:rgba(0, 0, 0, .5);background:#fff', 'background-color:rgba(0, 0, 0, .5);background:#fff'],
    ['border-bottom:1px solid #ccc !important', 'border-bottom:1px solid #ccc !important'],
    ['position:fixed;top:0;z-index:9', ''],
    ['background:url(//x);background-image:url(//x)', ''],
    ['margin:-100px;margin-top:0 -1px;padding:4px', 'padding:4px'],
    ['width:expression(x);width:calc(1px);color:var(--x);color:r\\65d', ''],
    ['color:red/*;*/;-moz-binding:url(x);behavior:url(x)', ''],
    ['color', ''],
    [':red', ''],
    [`color:${'r'.repeat(201)}`, ''],
  ];
  for (const [style, expected] of kept) assert.equal(safeStyle(style), expected, style);
});

test('whatever goes in, nothing comes out that loads, hides behind an escape or ends the attribute', () => {
  const words = fc.constantFrom(
    'color',
    'background',
    ':',
    ';',
    'url(',
    ')',
    '\\',
    '/*',
    '"',
    "'",
    '<',
    '-1px',
    'rgb(',
    '1',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string({ maxLength: 4 }))), (parts) => {
      assert.doesNotMatch(safeStyle(parts.join('')), /url\s*\(|[\\/"'<>&@{}]|(^|[\s,:])-/i);
    }),
  );
});
