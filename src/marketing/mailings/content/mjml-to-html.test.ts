import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentMistake } from './mistake.ts';
import { mjmlToHtml } from './mjml-to-html.ts';

const inColumn = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;

test('mustaches stay what they are, in texts, in attributes and between sections', () => {
  const mjml = `<mjml><mj-body><mj-raw>{{#each visits}}</mj-raw><mj-section><mj-column>
    <mj-text>Hi {{first_name default="there"}} {{#if a}}&amp; <b>{{&b}}</b>{{else}}c{{/if}}</mj-text>
    <mj-button href="https://x.test/?q={{a default="<b>"}}&amp;r=1">{{c}}</mj-button>
  </mj-column></mj-section><mj-raw>{{/each}}</mj-raw></mj-body></mjml>`;
  const { html } = mjmlToHtml(mjml);
  for (const kept of [
    'Hi {{first_name default="there"}} {{#if a}}&amp; <b>{{&b}}</b>{{else}}c{{/if}}</div>',
    'href="https://x.test/?q={{a default="<b>"}}&amp;r=1"',
    '>{{c}}</a>',
  ]) {
    assert.ok(html.includes(kept), kept);
  }
  assert.ok(
    html.indexOf('{{#each visits}}') < html.indexOf('Hi {{') && html.indexOf('{{c}}') < html.indexOf('{{/each}}'),
  );
});

test('attributes stay what they are', () => {
  const { html } = mjmlToHtml(
    inColumn(`<mj-image src="https://x.test/\\" alt='a "b" \\ é \u00ad\n\t{{c default="d"}}'/>`),
  );
  assert.ok(html.includes('src="https://x.test/\\"'));
  assert.ok(html.includes('alt="a &quot;b&quot; \\ é \u00ad\n\t{{c default="d"}}"'), html);
});

test('no reader is made to fetch fonts', () => {
  assert.doesNotMatch(mjmlToHtml(inColumn('<mj-text>a</mj-text>')).html, /fonts\.googleapis|@import/);
});

const REFUSED: [mjml: string, line: number, column: number, rule: RegExp][] = [
  ['', 1, 1, /no mjml element/],
  ['<p>x</p>', 1, 1, /cannot stand here/],
  ['<mjml><mj-body>', 1, 16, /not closed/],
  ['<mjml>\n <mj-body><mj-include path="/etc/passwd"/></mj-body></mjml>', 2, 11, /mj-include/],
  ['<mjml><mj-head><mj-include path="https://x.test/a" type="css"/></mj-head></mjml>', 1, 16, /mj-include/],
  ['<mjml><mj-head><mj-font name="a" href="https://x.test/a"/></mj-head></mjml>', 1, 16, /mj-font/],
  [inColumn('\n{{a}} <mj-tabel></mj-tabel>'), 2, 7, /no such MJML element/],
  [inColumn('<mj-social><mj-social-element name="x"/></mj-social>'), 1, 50, /needs a src/],
  [inColumn('<mj-button>a</mj-text>'), 1, 61, /not closed/],
  [inColumn('<mj-text>{{a}} 1 < 2</mj-text>'), 1, 56, /not valid/],
  ['<mjml>{{a}}<mj-body></mj-body></mjml>', 1, 7, /cannot stand here|keeps no text/],
  [inColumn('<mj-spacer>{{a}}</mj-spacer>'), 1, 50, /keeps no text|cannot stand here/],
  [inColumn('<mj-text>{{a</mj-text>'), 1, 48, /must be closed/],
];

test('what is wrong with MJML is told by its place, without repeating it', () => {
  for (const [mjml, line, column, rule] of REFUSED) {
    assert.throws(
      () => mjmlToHtml(mjml),
      (error) => {
        assert.ok(error instanceof ContentMistake, String(error));
        assert.match(error.rule, rule, mjml);
        assert.equal(error.part, 'mjml');
        assert.deepEqual(error.position, { line, column }, mjml);
        return true;
      },
    );
  }
});

test('a place in the HTML is found in the MJML', () => {
  const mjml = inColumn('\n<mj-text>{{a}}</mj-text>\n<mj-text>é {{b default="x"}} {{c}}</mj-text>');
  const { html, sourcePlace } = mjmlToHtml(mjml);
  for (const [mustache, line, column] of [
    ['{{a}}', 2, 10],
    ['{{b default="x"}}', 3, 12],
    ['{{c}}', 3, 30],
  ] as const) {
    const before = html.slice(0, html.indexOf(mustache)).split('\n');
    const at = { line: before.length, column: (before.at(-1) as string).length + 1 };
    assert.deepEqual(sourcePlace(at), { line, column }, mustache);
  }
});
