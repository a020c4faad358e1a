import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import PostalMime from 'postal-mime';
import { parseTemplate, renderTemplate } from '../../../email/index.ts';
import { compileMailing, type OwnParts, type PersonalMail } from './compile-mime.ts';

const OWN: OwnParts = {
  links: [],
  pixel: null,
  unsubscribeUrl: 'https://mail.test/u/1',
  headers: [
    ['From', '"Clinic" <news@clinic.test>'],
    ['To', '<ann@x.test>'],
  ],
};
const UNTRACKED = { trackLinks: false, trackOpens: false };

/** The parser counts the line break in front of a boundary to the part, so that one too many is at its end. */
async function read({ headers, body }: PersonalMail) {
  const { html = '', text = '', ...rest } = await PostalMime.parse(`${headers}\r\n${body}`);
  return { ...rest, html: withUnixLines(html).replace(/\n$/, ''), text: withUnixLines(text).replace(/\n$/, '') };
}

const withUnixLines = (text: string) => text.replace(/\r\n?/g, '\n');

const PIECES = [
  '',
  '.',
  '..\n.',
  '=',
  '=3D',
  '=\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  ' ',
  '\t\n',
  ' \n ',
  'é',
  '😀',
  '\ud83d',
];
const MORE = [
  'a',
  'From ',
  '--=_',
  '-'.repeat(80),
  '.'.repeat(200),
  'x'.repeat(75),
  '✓'.repeat(40),
  '<&>"',
  '{{a}}',
  '\0',
];
const anyValue = fc.oneof(
  fc.array(fc.constantFrom(...PIECES, ...MORE), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 70, maxLength: 300 }),
);
const anyLiteral = anyValue.map((text) => text.replace(/[{}\0\\]/g, '').replaceAll('\r', ''));
const anyTemplate = fc
  .array(
    fc.oneof(
      anyLiteral,
      fc.constantFrom(
        '{{a}}',
        '{{b}}',
        '{{b default=". d=\n"}}',
        '{{#if a}}.{{b}}={{else}}\n{{/if}}',
        '{{#each l}}.{{this}}{{/each}}',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `${parts.join('')}end\n`);

test('what a reader decodes is what the templates give, whatever the values are', async () => {
  await fc.assert(
    fc.asyncProperty(anyTemplate, anyTemplate, anyTemplate, anyValue, anyValue, async (html, text, line, a, b) => {
      const subject = line.replace(/\n/g, ' ');
      const content = { subject, preheader: null, html: html.replace(/</g, '('), text };
      const mail = compileMailing(content, UNTRACKED).personalise({ a, b, l: [b, a] }, OWN);
      assertSound(mail);
      const variables = { a: withUnixLines(a), b: withUnixLines(b), l: [withUnixLines(b), withUnixLines(a)] };
      const plain = (source: string, kind: 'html' | 'text' | 'header') =>
        renderTemplate(
          parseTemplate(source, kind),
          kind === 'header' ? { a, b, l: [b, a] } : variables,
        ).text.toWellFormed();
      const found = await read(mail);
      assert.equal(found.html, plain(content.html, 'html'));
      assert.equal(found.text, plain(text, 'text'));
      assert.equal(found.subject, plain(subject, 'header'));
    }),
    { numRuns: 500 },
  );
});

/** RFC 5321 4.5.3.1.6 and RFC 2045 6.7: ASCII in short lines that no relay has to touch. */
function assertSound({ headers, body: text }: PersonalMail): void {
  assert.match(text, /^[\t\r\n -~]*\r\n$/);
  assert.match(headers, /^[\t\r\n -~]*\r\n$/);
  assert.doesNotMatch(headers, /\r\n\r\n|\r\n\s*\r\n/);
  for (const part of [headers, text]) assert.doesNotMatch(part, /[^\r]\n|\r[^\n]/);
  for (const each of text.split('\r\n')) {
    assert.ok(each.length <= 76 && !each.startsWith('.'), each);
    assert.doesNotMatch(each, /[ \t]$/);
  }
  for (const each of headers.split('\r\n')) assert.ok(each.length <= 998, each);
}

const LINKED = `<body><a href="https://x.test/a?b=1&amp;c=2">1</a><a href='https://y.test/'>2</a><a href="https://x.test/a?b=1&c=2">3</a>
  {{#each l}}<a href=https://z.test/>4</a>{{/each}}<a href="mailto:a@x.test">5</a><a href="https://x.test/{{a}}">6</a>
  <a href="{{unsubscribe_url}}">7</a><link href="https://x.test/a.css"></body>\n`;

test('static links are numbered by their targets, and become what the sender gives', async () => {
  const content = { subject: 's', preheader: null, html: LINKED, text: 'https://x.test/\n' };
  const { targets, personalise } = compileMailing(content, { trackLinks: true, trackOpens: true });
  assert.deepEqual(targets, ['https://x.test/a?b=1&c=2', 'https://y.test/', 'https://z.test/']);
  const links = ['https://t.test/1?a=b', 'https://t.test/2', 'https://t.test/3'];
  const person = {
    a: 'q',
    l: [{ carepost_links: ['x'] }],
    carepost_links: ['no'],
    carepost_pixel: 'no',
    unsubscribe_url: 'no',
  };
  const found = await read(personalise(person, { ...OWN, links, pixel: 'https://t.test/p' }));
  const hrefs = [...found.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url?.replace('&#x3D;', '='));
  assert.deepEqual(hrefs, [
    links[0],
    links[1],
    links[0],
    links[2],
    'mailto:a@x.test',
    'https://x.test/q',
    OWN.unsubscribeUrl,
    'https://x.test/a.css',
    'https://t.test/p',
  ]);
  const without = await read(personalise(person, { ...OWN, links }));
  assert.doesNotMatch(without.html, /<img/);
  assert.equal(without.text, 'https://x.test/\n');
});

test('a backslash at the end of the body does no harm', async () => {
  const content = { subject: 's', preheader: null, html: '<body>a\\</body>\n', text: 't\n' };
  const { personalise } = compileMailing(content, { trackLinks: true, trackOpens: true });
  const { html } = await read(personalise({}, { ...OWN, pixel: 'https://t.test/p' }));
  assert.match(html, /^<body>a\\\s*<img src="https:\/\/t\.test\/p"/);
});

test('without tracking the links and the text stay as they are', async () => {
  const { targets, personalise } = compileMailing(
    { subject: 's', preheader: null, html: LINKED, text: 't\n' },
    UNTRACKED,
  );
  const { html } = await read(personalise({}, { ...OWN, pixel: 'https://t.test/p' }));
  assert.deepEqual(targets, []);
  assert.ok(html.includes('https://y.test/') && !html.includes('<img'));
});

test('headers are folded, and none can bring in another', async () => {
  const content = { subject: `${'word '.repeat(60)}{{a}}`, preheader: null, html: 'h\n', text: 't\n' };
  const { personalise } = compileMailing(content, UNTRACKED);
  const long = Array.from({ length: 20 }, (_, i) => `<person${i}@x.test>`).join(', ');
  const mail = personalise({ a: 'x\r\nBcc: y@x.test' }, { ...OWN, headers: [...OWN.headers, ['Reply-To', long]] });
  for (const line of mail.headers.split('\r\n')) assert.ok(line.length <= 78, line);
  const { subject, headers } = await read(mail);
  assert.equal(subject, `${'word '.repeat(60)}x  Bcc: y@x.test`);
  assert.deepEqual(
    headers.map(({ key }) => key),
    ['from', 'to', 'reply-to', 'subject', 'mime-version', 'content-type'],
  );
  assert.equal(headers.find(({ key }) => key === 'reply-to')?.value, long);
  assert.throws(() => personalise({}, { ...OWN, headers: [['X', 'a\r\nBcc: b']] }), /line break/);
});
