import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { contentDisposition } from './content-disposition.ts';

const HEADER = /^attachment; filename="([^"\\/%]+)"; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})+)$/i;

function namesIn(header: string): { plain: string; full: string } {
  const [, plain = '', encoded = ''] = HEADER.exec(header) ?? assert.fail(header);
  return { plain, full: decodeURIComponent(encoded) };
}

test('a name is offered in ASCII and whole', () => {
  assert.equal(
    contentDisposition('Müller résumé.csv', 'form_data.csv'),
    'attachment; filename="Muller resume.csv"; filename*=UTF-8\'\'M%C3%BCller%20r%C3%A9sum%C3%A9.csv',
  );
  assert.deepEqual(namesIn(contentDisposition('日本.pdf', 'form_data.pdf')), {
    plain: 'form_data.pdf',
    full: '日本.pdf',
  });
});

test('names that would harm are made harmless', () => {
  const names: Record<string, string> = {
    '../../etc/passwd': 'etc_passwd',
    'C:\\x\\y.txt': 'C_x_y.txt',
    'a\r\nSet-Cookie: b': 'a_Set-Cookie_ b',
    'a"; filename="b.exe': 'a_ filename=_b.exe',
    'exe.\u202efdp': 'exe._fdp',
    '.htaccess': 'htaccess',
    'con.txt': '_con.txt',
    'a%2e%2e.txt': 'a_2e_2e.txt',
    'x\0.pdf': 'x_.pdf',
    'scan (1)*.pdf': 'scan (1)_.pdf',
    '': 'fallback.bin',
    ' . ': 'fallback.bin',
    '\u202e': 'fallback.bin',
  };
  for (const [name, safe] of Object.entries(names)) {
    assert.equal(namesIn(contentDisposition(name, 'fallback.bin')).full, safe, name);
  }
});

test('signs that are dots or a device in ASCII are harmless there too', () => {
  const names: Record<string, string> = { '⒈': '1', 'ｃｏｎ.txt': '_con.txt', '․․ab.txt': 'ab.txt', 'a／b': 'a_b' };
  for (const [name, safe] of Object.entries(names))
    assert.equal(namesIn(contentDisposition(name, 'fallback.bin')).plain, safe, name);
});

test('a long name keeps its extension', () => {
  const { full } = namesIn(contentDisposition(`${'ü'.repeat(4_000)}.pdf`, 'x'));
  assert.equal(full, `${'ü'.repeat(116)}.pdf`);
});

test('whatever the name, the header is one printable line and the name no path', () => {
  const anyName = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '.',
        '/',
        '\\',
        '"',
        '%',
        ' ',
        '\r',
        '\n',
        '\0',
        'a',
        'ü',
        '\u202e',
        '\ud800',
        '😀',
        ';',
        '_',
      ),
    }),
  );
  fc.assert(
    fc.property(anyName, anyName, (name, fallback) => {
      const header = contentDisposition(name, fallback);
      assert.match(header, /^[ -~]+$/);
      assert.ok(header.length < 1_800);
      const { plain, full } = namesIn(header);
      for (const one of [plain, full]) {
        assert.doesNotMatch(one, /[/\\"'\p{Cc}\p{Cf}\p{Cs}]|^\.|^\s|[. ]$/u);
        assert.notEqual(one, '');
      }
    }),
    { numRuns: 1_500 },
  );
});
