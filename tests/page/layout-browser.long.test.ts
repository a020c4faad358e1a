import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { anyCss } from '../../src/forms/layout/css.examples.ts';
import { safeCss, safeLayout } from '../../src/forms/layout/index.ts';
import { anyMarkup } from '../../src/forms/layout/markup.examples.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { foreignOrigins, openBrowser, type Visit, visit } from '../support/browser.ts';
import { addForm } from '../support/forms.ts';
import { ENDLESS_MARKUP, HOSTILE_CSS, HOSTILE_MARKUP } from './hostile-layouts.ts';

const CANARY = 'canary7391';
const PER_PAGE = 6;
const MOST = 1_500;
const VOID = /^(br|col|hr|img|wbr)$/;

let app: TestApp;
let customer: TestCustomer;
let browser: Browser;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  browser = await openBrowser(t as TestContext);
});

/** Several hostile layouts in one form, each followed by a mark; one that does not end comes last. */
function layoutsOf(pages: number): { markup: string[]; html: string; css: string }[] {
  return Array.from({ length: pages }, (_, page) => {
    const markup = HOSTILE_MARKUP.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
    const marked = markup.map((each, place) => `<section>${each}</section><b class="mark-${place}">x</b>`);
    const endless = ENDLESS_MARKUP[page % ENDLESS_MARKUP.length] as string;
    const css = HOSTILE_CSS.filter((_each, place) => place % pages === page).join('\n}\n');
    return { markup, css, html: `${marked.join('\n')}<div><input name="first"></div>${endless}` };
  });
}

/** What in the layout is more than a look of something; the page's policy would stop it, but it should not be there. */
const FIND_MORE = `
  [...document.querySelectorAll('.form-layout *')].filter((element) => !element.closest('.question, .buttons')).flatMap((element) => [
    ...(element.matches('b, p, q, a, i, td, tr, th, ul, li, img, div, span, table, tbody, section, blockquote') ? [] : [element]),
    ...[...element.attributes].filter(({ name, value }) =>
      !/^(class|title|colspan|alt|target|rel)$/.test(name) &&
      !(name === 'id' && value.startsWith('layout-')) &&
      !(name === 'href' && /^(https|mailto|tel):/.test(value)) &&
      !(name === 'src' && value.startsWith('data:image/png;'))),
  ]).map(({ localName, name, value }) => [localName ?? name, value].join(' '))`;

/** Does to everything in the layout what a visitor might do to it. */
const TOUCH_EVERYTHING = `
  for (const element of document.querySelectorAll('.form-layout *')) {
    if (element.matches('button, input, a[href]')) continue;
    for (const event of ['click', 'pointerover', 'mouseover', 'focus', 'toggle', 'animationstart', 'error', 'load'])
      element.dispatchEvent(new Event(event));
  }`;

async function fillIn({ page }: Visit): Promise<void> {
  await page.evaluate(TOUCH_EVERYTHING);
  await page.locator('[name="q.first"]').pressSequentially(CANARY);
  await page.locator('#carepost-form button[name=_go][value=submit]:not(.aside)').click();
  await page.waitForLoadState();
}

const PAGES = Math.max(Math.ceil(HOSTILE_MARKUP.length / PER_PAGE), ENDLESS_MARKUP.length);

test('there are vectors enough, and each stands in a page', () => {
  const pages = layoutsOf(PAGES);
  assert.ok(HOSTILE_MARKUP.length + ENDLESS_MARKUP.length + HOSTILE_CSS.length >= 80);
  assert.equal(pages.flatMap(({ markup }) => markup).length, HOSTILE_MARKUP.length);
  assert.equal(HOSTILE_CSS.filter((css) => pages.some((page) => page.css.includes(css))).length, HOSTILE_CSS.length);
  assert.equal(
    ENDLESS_MARKUP.filter((end) => pages.some(({ html }) => html.endsWith(end))).length,
    ENDLESS_MARKUP.length,
  );
});

for (const [number, { html, css, markup }] of layoutsOf(PAGES).entries()) {
  test(`a hostile layout neither runs nor sends an answer anywhere: page ${number + 1}`, async () => {
    const id = await addForm(app, customer.id, {
      form_html: html,
      form_css: css,
      form_json: { fields: [{ name: 'first', type: 'text', label: 'First' }] },
    });
    const visited = await visit(browser, `${app.url}/f/${id}`);
    const { page } = visited;
    const marks = markup.map((_, place) => `.form-layout .mark-${place}`);
    for (const mark of marks) assert.equal(await page.locator(mark).count(), 1, `${mark}\n${markup.join('\n')}`);
    assert.deepEqual(await page.evaluate(FIND_MORE), []);
    await fillIn(visited);
    assert.deepEqual(visited.dialogs, []);
    assert.equal(await page.evaluate('window.__xss'), undefined);
    assert.deepEqual(foreignOrigins(visited, app.url), []);
    const telling = visited.requests.filter(({ url, body }) => (url + body).includes(CANARY));
    assert.deepEqual(
      telling.map(({ method, url }) => `${method} ${url}`),
      [`POST ${app.url}/f/${id}`],
    );
    assert.equal(await countSubmissions(id), 1);
    await page.context().close();
  });
}

async function countSubmissions(id: string): Promise<number> {
  const { body } = await app.request('GET', `/api/forms/${id}/submissions`, { key: customer.key });
  return body.total;
}

/** The elements of each text as a browser builds them, which stands in two elements and is followed by one. */
const BUILD = `(texts) => {
  const inside = (element) => [...element.children]
    .map((child) => (child.localName === 'tbody' ? inside(child) : '<' + child.localName + '>' + inside(child) + '</>'))
    .join('');
  return texts.map((text) => {
    const page = new DOMParser().parseFromString('<!doctype html><form><div>' + text + '</div></form><i></i>', 'text/html');
    return inside(page.body);
  });
}`;

/** The elements of a text as its tags say. */
function elementsIn(text: string): string {
  const tags = [...text.matchAll(/<(\/?)(\w+)[^>]*>/g)].filter(([, , name]) => name !== 'tbody');
  return tags.map(([, end, name]) => (end === '' ? `<${name}>${VOID.test(name ?? '') ? '</>' : ''}` : '</>')).join('');
}

test('a browser builds from any layout exactly the elements that were written, and nothing ends what is around', async () => {
  const written = fc.sample(anyMarkup, MOST).map((markup) =>
    safeLayout(markup, new Set(['first']))
      .map((piece) => (piece.kind === 'html' ? piece.html : '<div><fieldset></fieldset></div>'))
      .join(''),
  );
  const { page } = await visit(browser, 'about:blank');
  const built = await page.evaluate<string[]>(`(${BUILD})(${JSON.stringify(written)})`);
  built.forEach((elements, place) => {
    const text = written[place] as string;
    assert.equal(elements, `<form><div>${elementsIn(text)}</></><i></>`, text);
  });
});

/** Each selector and each value as a browser understands them. */
const UNDERSTAND = `(sheets) => sheets.map((sheet) => {
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);
  const rules = (list) => [...list].flatMap((rule) => [
    rule.constructor.name,
    ...(rule.selectorText === undefined ? [] : ['selector ' + rule.selectorText]),
    ...(rule.style === undefined ? [] : [...rule.style].map((name) => 'value ' + rule.style.getPropertyValue(name))),
    ...(rule.cssRules === undefined ? [] : rules(rule.cssRules)),
  ]);
  return rules(style.cssRules);
})`;

test('a browser finds in any style sheet only rules for the scope, and nothing to load', async () => {
  const sheets = fc.sample(anyCss, MOST).map((css) => safeCss(css, '#s'));
  const { page } = await visit(browser, 'about:blank');
  const understood = await page.evaluate<string[][]>(`(${UNDERSTAND})(${JSON.stringify(sheets)})`);
  for (const [place, facts] of understood.entries()) {
    for (const fact of facts) {
      if (fact.startsWith('value ')) assert.doesNotMatch(fact.replace(/"[^"]*"/g, ''), /url\(|image-set|attr\(/i);
      else if (fact.startsWith('selector ')) assert.match(fact, /^selector #s( |$|[.:#,])/, sheets[place]);
      else assert.match(fact, /^CSS(Style|Media|Supports|Keyframes|Keyframe)Rule$/, sheets[place]);
    }
  }
  assert.ok(understood.flat().length > MOST / 3, 'there is something to look at');
});
