import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DEFAULT_HANDLING } from '../submission/message.ts';
import { findLinks } from './find-links.ts';
import { createLinkTokens, type LinkKind } from './token.ts';
import { trackMessage } from './track.ts';

const keys = {
  version: 1,
  seal: () => Buffer.alloc(0),
  open: () => Buffer.alloc(0),
  blindIndex: (column: string, value: string) =>
    createHmac('sha256', 'a key').update(`${column}\0${value}`).digest().subarray(0, 16),
};
const tokens = createLinkTokens(keys);
const id = randomUUID();
const envelope = {
  from: { name: null, address: 'a@b.test' },
  replyTo: [],
  subject: '',
  headers: {},
  recipients: [{ kind: 'to' as const, name: null, address: 'c@d.test' }],
  handling: DEFAULT_HANDLING,
};
const deps = { tokens, publicUrl: 'https://mail.test' };

test('a token says what was put in, and nothing once a bit of it is changed', () => {
  const anyToken = fc.record(
    {
      kind: fc.constantFrom<LinkKind>('open', 'click', 'unsubscribe', 'mailing-open', 'confirm', 'preferences'),
      id: fc.uuid(),
      number: fc.integer({ min: 0, max: 65535 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(anyToken, fc.nat({ max: 36 * 8 - 1 }), (token, bit) => {
      const text = tokens.make(token);
      assert.ok(text.length <= 60);
      assert.deepEqual(tokens.read(text), token);
      const bytes = Buffer.from(text, 'base64url');
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      assert.equal(tokens.read(bytes.toString('base64url')), null);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(tokens.read(text), null)));
});

const link = (length: number) => 'https://x.test/'.padEnd(length, 'a');

const targets = (url: string) => findLinks(`<a href="${url}">`).map(({ target }) => target);

test('a link of at most 2,048 characters is followed, a longer one is left as it is', () => {
  assert.deepEqual(targets(link(2_048)), [link(2_048)]);
  assert.deepEqual(targets(link(2_049)), []);
});

const piece = fc.oneof(
  fc.constantFrom(
    '<a href="https://x.test/1">',
    "<a class=b href='http://y.test/?q=1&amp;r=2' id=c>",
    '<area href=https://z.test>',
  ),
  fc.constantFrom(
    '</a>',
    '<a>',
    '<a href>',
    '<a href="">',
    '<!-- <a href="https://no.test"> -->',
    '<a title="href=https://no.test">',
  ),
  fc.constantFrom(
    '<script>x="<a href=https://no.test>"</script>',
    '<img src="https://no.test">',
    '<a href="javascript:x">',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

test('rewriting changes the links and not another character, whatever the HTML is', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const html = pieces.join('');
      const links = findLinks(html);
      const settings = { openTracking: false, linkTracking: true };
      const tracked = trackMessage(deps, settings, { id, envelope, html });
      const rewritten = findLinks(tracked.html as string);
      assert.equal(rewritten.length, links.length);
      let restored = '';
      let at = 0;
      rewritten.forEach(({ start, end, target }, index) => {
        const token = tokens.read(target.slice('https://mail.test/t/'.length));
        const original = links[index] as (typeof links)[number];
        assert.equal(tracked.targets[token?.number as number], original.target);
        restored += `${(tracked.html as string).slice(at, start)}${html.slice(original.start, original.end)}`;
        at = end;
      });
      assert.equal(restored + (tracked.html as string).slice(at), html);
    }),
  );
});

test('of more than a thousand targets the first thousand are followed', () => {
  const html = Array.from({ length: 1_001 }, (_, index) => `<a href="https://x.test/${index}">`).join('');
  const tracked = trackMessage(deps, { openTracking: false, linkTracking: true }, { id, envelope, html });
  assert.equal(tracked.targets.length, 1_000);
  assert.ok(tracked.html?.endsWith('<a href="https://x.test/1000">'));
});

test('the picture stands in front of the end of the body and changes not another character', () => {
  const settings = { openTracking: true, linkTracking: false };
  for (const [head, tail] of [
    ['<p>x</p>', ''],
    ['<body><p>x</p>', '</body></html>'],
    ['<body>', '</BODY >\n</html>\n'],
    [`<body>${'İ'.repeat(9)}<p>x</p>`, '</body></html>'],
    ['<body><p>x</p>', '</body></html><!-- </body> -->'],
    ['<body><!-- </body> --><p title="</body>">x</p><style>/* </body> */</style>', '</body>'],
    ['<p>x</p><!-- </body> -->', ''],
    ['<p>x</p></bodyguard>', ''],
  ] as const) {
    const { html } = trackMessage(deps, settings, { id, envelope, html: head + tail });
    const picture = html?.slice(head.length, html.length - tail.length) ?? '';
    assert.match(picture, /^<img src="https:\/\/mail\.test\/t\/[\w-]+"[^<>]*>$/, html ?? '');
    assert.equal(html, head + picture + tail);
  }
});
