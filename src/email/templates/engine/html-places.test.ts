import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, TemplateMistake } from './parse.ts';
import { renderTemplate } from './render.ts';

const html = (source: string, variables: Record<string, unknown>, rawHtml = false) =>
  renderTemplate(parseTemplate(source, 'html', { rawHtml }), variables).text;

const REFUSED: Record<string, string[]> = {
  'the name of a tag or of an attribute': [
    '<{{x}}>',
    '<a{{x}}>',
    '</{{x}}>',
    '<p {{x}}>',
    '<p {{x}}="a">',
    '<p a{{x}}>',
    '<p a {{x}}>',
    '<p a="b"{{x}}>',
    '<p/{{x}}>',
    '<P\n{{x}}>',
    '<p title={{x}} {{y}}>',
    '<p title=a\n{{x}}>',
    '<p title=a\t{{x}}>',
  ],
  'supported inside': [
    '<script>{{x}}</script>',
    '<SCRIPT a="b>">{{x}}</SCRIPT>',
    '<script></scriptx>{{x}}</script>',
    '<script></x>{{x}}',
    '<style>p { color: {{x}} }</style>',
    '<noscript>{{x}}</noscript>',
    '<iframe>{{x}}</iframe>',
    '<plaintext></p>{{x}}',
    '<!-- {{x}} -->',
    '<!--[if mso]>{{x}}<![endif]-->',
    '<!-- -- > {{x}}',
    '<!DOCTYPE {{x}}>',
    '<!x {{x}}>',
    '<?x {{x}}>',
    '</ {{x}}>',
    '</p class="{{x}}">',
    '<svg>{{x}}</svg>',
    '<math><p title="{{x}}">',
  ],
  'supported in this attribute': [
    '<p style="{{x}}">',
    '<p STYLE="color:{{x}}">',
    '<p onclick="{{x}}">',
    "<p OnClick='f({{x}})'>",
    '<img srcset="{{x}}">',
    '<p onclick={{x}}>',
    '<a ping="{{x}}">',
  ],
  'attributes of this element': [
    '<script src="{{x}}">',
    '<iframe srcdoc="{{x}}">',
    '<base href="{{x}}">',
    '<link href="{{x}}">',
    '<meta http-equiv="refresh" content="0;url={{x}}">',
    '<object data="{{x}}">',
  ],
  'part of a tag': ['<title></ti{{x}}', '<textarea><{{x}}'],
  'beginning of a URL': [
    '<a href="javascript:{{x}}">',
    '<a href="JaVaScRiPt:{{x}}">',
    '<a href=" \tjava\nscript:{{x}}">',
    '<a href="java&#115;cript:{{x}}">',
    '<a href="&#106;avascript:{{x}}">',
    '<a href="data:text/html,{{x}}">',
    '<a href=vbscript:{{x}}>',
    '<v:rect v:href="x-y:{{x}}">',
    '<a href="{{#if a}}javascript{{/if}}{{x}}">',
    '<a href="{{#if a}}https://x/{{else}}java{{/if}}{{x}}">',
  ],
  'part of the scheme': [
    '<a href="{{x}}:{{y}}">',
    '<a href="{{x}}script:alert(1)">',
    '<a href="java{{x}}:alert(1)">',
    '<a href="java{{x}}&colon;alert(1)">',
    '<a href="{{x}}&#58;alert(1)">',
    '<a href="{{x}}&amp;&Tab;javascript:{{y}}">',
  ],
  'branches must end': [
    '{{#if x}}<p title="{{else}}<p>{{/if}}',
    '{{#if x}}<p {{/if}}>',
    '<p class={{#if x}}a{{/if}}>',
    '{{#if x}}<script>{{/if}}',
    '{{#if x}}<!--{{/if}} {{y}}',
    '{{#each x}}<p title="{{/each}}',
    '{{#with x}}<{{/with}}',
    '<{{#if x}}a{{else}}script{{/if}}>',
    '<a {{#if x}}href{{else}}title{{/if}}="{{y}}">',
    '<a href="{{#each x}}{{this}}{{/each}}">',
  ],
};

for (const [rule, sources] of Object.entries(REFUSED)) {
  test(`in HTML, these are refused: ${rule}`, () => {
    for (const source of sources) {
      assert.throws(
        () => parseTemplate(source, 'html', { rawHtml: true }),
        (error) => error instanceof TemplateMistake && error.message.includes(rule),
        source,
      );
      assert.doesNotThrow(() => parseTemplate(source, 'header'), source);
    }
  });
}

test('the name of an attribute may have 64 characters where it holds a value, and any number of them elsewhere', () => {
  const name = 'n'.repeat(64);
  assert.equal(html(`<p ${name}="{{x}}">`, { x: 1 }), `<p ${name}="1">`);
  for (const longer of [`${name}n`, `${name}:href`]) {
    assert.throws(
      () => parseTemplate(`<p ${longer}="{{x}}">`, 'html'),
      /variables are not supported in this attribute/,
    );
    assert.equal(html(`<p ${longer}="y">{{x}}`, { x: 1 }), `<p ${longer}="y">1`);
  }
});

test('a long name of an attribute is read in no time', () => {
  // Where each character asks of the whole name again what it is, these take minutes.
  const begun = performance.now();
  const long = 'x'.repeat(240_000);
  assert.doesNotThrow(() => parseTemplate(`<a ${long}>`, 'html'));
  assert.doesNotThrow(() => parseTemplate(`<a ${long}="${long}">`, 'html'));
  assert.ok(performance.now() - begun < 20_000);
});

test('a value is escaped for where it stands', () => {
  const x = `&<>"'\`= a\0`;
  const written = '&amp;&lt;&gt;&quot;&#x27;&#x60;&#x3D; a\ufffd';
  const unquoted = written.replace(' ', '&#32;');
  const cases: Record<string, string> = {
    '<p>{{x}}</p>{{{x}}}{{&x}}': `<p>${written}</p>${written}${written}`,
    '<title>{{x}}</title><textarea>{{{x}}}</textarea>': `<title>${written}</title><textarea>${written}</textarea>`,
    '<p title="{{x}}" lang=\'{{x}}\'>': `<p title="${written}" lang='${written}'>`,
    '<p title={{x}} lang=a{{x}}>': `<p title=${unquoted} lang=a${unquoted}>`,
    '<p title={{none}} lang=a>': '<p title=&#32; lang=a>',
    '<p title={{none}}{{x}}>': `<p title=&#32;${unquoted}>`,
    'a < {{x}} <3 {{x}}': `a < ${written} <3 ${written}`,
    '<!--> {{x}} <!--[if !mso]><!-->{{x}}<!--<![endif]-->': `<!--> ${written} <!--[if !mso]><!-->${written}<!--<![endif]-->`,
    '<script>1</script >{{x}}<style></style>{{x}}': `<script>1</script >${written}<style></style>${written}`,
    '<svg></svg>{{x}}': `<svg></svg>${written}`,
    '<p {{#if x}}title="a"{{/if}} {{#each l}}lang="{{this}}"{{/each}}>{{x}}': `<p title="a" lang="1">${written}`,
  };
  for (const [source, expected] of Object.entries(cases)) {
    assert.equal(html(source, { x, none: '', l: [1] }), expected, source);
  }
});

test('raw HTML is written only where it was allowed, asked for, and stands between tags', () => {
  assert.equal(html('{{{x}}}{{&x}}{{x}}', { x: '<b>' }, true), '<b><b>&lt;b&gt;');
  assert.equal(
    html('<p title="{{{x}}}"><title>{{{x}}}</title>', { x: '"<b>' }, true),
    '<p title="&quot;&lt;b&gt;"><title>&quot;&lt;b&gt;</title>',
  );
  assert.equal(html('<a href="{{{x}}}">', { x: 'javascript:1' }, true), '<a href="#">');
});

const DANGEROUS = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\r\nscript:alert(1)',
  'java\0script:alert(1)',
  'javascript\t:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'http\u200b:x',
  ':x',
  'javascript&colon;alert(1):',
];

test('the beginning of a URL has one of the allowed schemes or none', () => {
  for (const u of DANGEROUS) {
    for (const source of [
      '<a href="{{u}}">',
      '<a href=" {{u}}">',
      "<IMG SRC='{{u}}'>",
      '<form action={{u}}>',
      '<td background="{{u}}">',
    ]) {
      assert.equal(html(source, { u }), source.replace('{{u}}', '#'), JSON.stringify(u));
    }
  }
  const kept = [
    'https://x.test/a?b',
    'HTTP://x.test',
    'mailto:a@b.test',
    'tel:+1',
    '/a',
    '//x.test/a',
    '#a',
    '?a',
    '../a:b',
    'a/b:c',
  ];
  for (const u of kept) assert.equal(html('<a href="{{u}}">', { u }), `<a href="${u}">`);
  assert.equal(html('<a href="{{u}}">', { u: '  https://x.test/a\nb ' }), '<a href="https://x.test/ab">');
  assert.equal(html('<a href="{{u}}">', { u: 'page.html' }), '<a href="./page.html">');
  assert.equal(
    html('<a href="{{u}}{{v}}">', { u: 'java', v: 'script:alert(1)' }),
    '<a href="./javascript%3Aalert(1)">',
  );
  assert.equal(html('<a href="{{u}}{{v}}">', { u: '', v: 'javascript:alert(1)' }), '<a href="javascript%3Aalert(1)">');
  assert.equal(html('<a href="java{{u}}">', { u: 'script:alert(1)' }), '<a href="javascript%3Aalert(1)">');
  assert.equal(html('<a href="{{#if a}}{{u}}{{else}}https://x/{{/if}}">', { a: 1, u: 'javascript:x' }), '<a href="#">');
});

test('inside a URL, a value cannot leave its part', () => {
  const u = 'a b/c?d#e&f="<ü\ud800%20';
  const path = 'a%20b/c%3Fd%23e&amp;f&#x3D;%22%3C%C3%BC%EF%BF%BD%20';
  const query = 'a%20b%2Fc%3Fd%23e%26f%3D%22%3C%C3%BC%EF%BF%BD%2520';
  assert.equal(
    html('<a href="https://x.test/{{u}}/{{u}}?q={{u}}#{{u}}">', { u }),
    `<a href="https://x.test/${path}/${path}?q=${query}#${query}">`,
  );
  assert.equal(html('<a href="{{b}}?q={{u}}">', { u, b: 'https://x.test' }), `<a href="https://x.test?q=${query}">`);
  assert.equal(html('<a href="{{b}}&amp;q={{u}}">', { u, b: '/x?a' }), `<a href="/x?a&amp;q=${query}">`);
  assert.equal(
    html('<a href="mailto:{{e}}?subject={{e}}">', { e: 'a+b@c.test' }),
    '<a href="mailto:a+b@c.test?subject=a%2Bb%40c.test">',
  );
  assert.equal(
    html('<img src="cid:{{e}}"><a href=/{{s}}/x>', { e: 'logo', s: 'a b' }),
    '<img src="cid:logo"><a href=/a%20b/x>',
  );
  assert.equal(html('<a href="/x{{#each l}}/{{this}}{{/each}}">', { l: ['a', 'b?'] }), '<a href="/x/a/b%3F">');
});
