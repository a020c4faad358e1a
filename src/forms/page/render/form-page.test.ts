import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsOf } from '../../model/questions.ts';
import type { PageView } from '../view.ts';
import { renderForm } from './form-page.ts';
import { all, byId, type Found, named, nearest, readTree, textIn } from './read-tree.examples.ts';
import { EVERY_KIND, FILLED, viewOf } from './view.examples.ts';

const CONTROLS = new Set(['input', 'select', 'textarea']);

function rendered(view: PageView): Found {
  return readTree(renderForm(view, 'nonce', { script: null }));
}

function questionAt(tree: Found, path: string): Found {
  const [found] = all(tree, ({ given }) => given['data-path'] === path);
  assert.ok(found, path);
  return found;
}

function controlsOf(tree: Found): Found[] {
  return all(tree, ({ tag, given }) => CONTROLS.has(tag) && given['type'] !== 'hidden');
}

test('every question has its element, and every control a name, an id of its own and a label', () => {
  for (const differs of [{}, FILLED, { ...FILLED, problems: { name: ['No.'], mood: ['No.'] } }]) {
    const view = viewOf(EVERY_KIND, differs);
    const tree = rendered(view);
    for (const { name, kind } of questionsOf(view.model)) assert.equal(questionAt(tree, name).given['data-kind'], kind);
    const ids = all(tree, ({ given }) => given['id'] !== undefined).map(({ given }) => given['id']);
    assert.equal(new Set(ids).size, ids.length, 'an id stands there twice');
    const labels = new Set(all(tree, ({ tag }) => tag === 'label').map(({ given }) => given['for']));
    for (const { given } of controlsOf(tree)) {
      assert.ok(given['name'], `no name: ${given['id']}`);
      assert.ok(labels.has(given['id'] ?? ''), `no label: ${given['name']}`);
    }
    for (const { given } of all(tree, (each) => each.given['aria-describedby'] !== undefined)) {
      for (const id of (given['aria-describedby'] ?? '').split(' ')) assert.ok(ids.includes(id), id);
    }
    assert.equal(all(tree, ({ tag }) => tag === 'h1').length, 1);
  }
});

test('controls of one question that belong together stand in a fieldset with its label', () => {
  const tree = rendered(viewOf(EVERY_KIND));
  for (const control of controlsOf(tree).filter(({ given }) => given['type'] === 'radio')) {
    assert.ok(nearest(control, ({ tag }) => tag === 'fieldset'));
  }
  for (const name of ['home', 'smoker', 'symptoms', 'pregnant', 'pain', 'mood', 'medications', 'guardian']) {
    const [fieldset] = all(questionAt(tree, name), ({ tag }) => tag === 'fieldset');
    assert.ok(fieldset && all(fieldset, ({ tag }) => tag === 'legend').length > 0, name);
  }
});

test('what was answered stands in its control', () => {
  const tree = rendered(viewOf(EVERY_KIND, FILLED));
  const value = (name: string) => named(tree, name)[0]?.given['value'];
  const chosen = (name: string) => {
    return named(tree, name)
      .filter(({ given }) => given['checked'] !== undefined)
      .map(({ given }) => given['value']);
  };
  assert.equal(value('q.name'), 'Ann');
  assert.deepEqual(chosen('q.smoker'), ['daily']);
  assert.deepEqual(chosen('q.symptoms'), ['Cough', '~other']);
  assert.equal(value('q.symptoms.~own'), 'My knee');
  assert.deepEqual(chosen('q.pregnant'), ['no']);
  assert.deepEqual(chosen('q.pain'), ['7']);
  assert.deepEqual(chosen('q.mood.Little%20interest'), ['Several days']);
  assert.deepEqual(chosen('q.privacy'), ['true']);
  assert.equal(value('q.home.zip'), '12345');
  assert.equal(value('q.medications.1.dose'), '200 mg');
  assert.equal(value('q.guardian.name'), 'Bea');
  assert.equal(value('q.doctor.~own'), 'Dr Zed');
  const [doctor] = all(named(tree, 'q.doctor')[0] as Found, ({ given }) => given['selected'] !== undefined);
  assert.equal(doctor?.given['value'], '~other');
  assert.equal(textIn(named(tree, 'q.story')[0] as Found), '\n\nTwo\nlines', 'a browser drops the first line break');
  assert.equal(textIn(all(questionAt(tree, 'points'), ({ tag }) => tag === 'output')[0] as Found), '9');
  assert.equal(named(tree, '_drop')[0]?.given['value'], 'token-1');
});

test('where one of yes and no is all that is taken, it is a box that can be unticked again', () => {
  const form = { type: 'object', properties: { news: { type: 'boolean', const: true, title: 'News' } } };
  for (const [answer, isTicked] of [
    [true, true],
    [false, false],
  ] as const) {
    const [box, ...others] = named(rendered(viewOf(form, { answers: { news: answer } })), 'q.news');
    assert.deepEqual(others, []);
    assert.deepEqual([box?.given['type'], box?.given['value']], ['checkbox', 'yes']);
    assert.equal(box?.given['checked'] !== undefined, isTicked);
  }
});

test('what is not asked is hidden and its controls are disabled; all else is neither', () => {
  for (const [smoker, isAsked] of [
    ['daily', true],
    ['no', false],
  ] as const) {
    const tree = rendered(viewOf(EVERY_KIND, { answers: { smoker } }));
    const years = questionAt(tree, 'years');
    assert.equal(years.given['hidden'] === undefined, isAsked);
    for (const control of controlsOf(tree)) {
      const question = nearest(control, ({ given }) => given['data-path'] !== undefined);
      const isOpen = question?.given['hidden'] === undefined;
      assert.equal(control.given['disabled'] === undefined, isOpen, control.given['name'] ?? '');
    }
    const seen = JSON.parse(named(tree, '_seen')[0]?.given['value'] ?? '') as string[];
    assert.equal(seen.includes('years'), isAsked);
    assert.ok(seen.includes('medications.0.drug'));
  }
});

test('a section and a heading that are not asked are hidden', () => {
  const form = {
    fields: [
      { type: 'yes_no', name: 'more', label: 'More?' },
      { type: 'heading', id: 'h', text: 'More', show_when: 'more == true' },
      { type: 'section', id: 's', title: 'More', show_when: 'more == true', fields: [{ type: 'text', name: 'what' }] },
    ],
  };
  for (const more of ['yes', 'no']) {
    const tree = rendered(viewOf(form, { answers: { more } }));
    for (const id of ['h', 's']) {
      const [found] = all(tree, ({ given }) => given['data-item'] === id);
      assert.equal(found?.given['hidden'] === undefined, more === 'yes');
    }
    assert.equal(named(tree, 'q.what')[0]?.given['disabled'] === undefined, more === 'yes');
  }
});

test('a question of an entry is asked by the answers of its own entry', () => {
  const fields = [
    { type: 'yes_no', name: 'daily', label: 'Daily?' },
    { type: 'text', name: 'dose', label: 'Dose', show_when: 'daily == true' },
  ];
  const form = { fields: [{ type: 'repeating group', name: 'drugs', label: 'Drug', max: 3, fields }] };
  const tree = rendered(viewOf(form, { answers: { drugs: [{ daily: 'yes' }, { daily: 'no' }] } }));
  assert.equal(questionAt(tree, 'drugs.0.dose').given['hidden'], undefined);
  assert.notEqual(questionAt(tree, 'drugs.1.dose').given['hidden'], undefined);
});

test('a group offers more entries below its most and fewer above its least', () => {
  const fields = [{ type: 'text', name: 't' }];
  const form = (least: number, most: number) => ({
    fields: [{ type: 'repeating group', name: 'g', label: 'G', min: least, max: most, fields }],
  });
  const counts = (least: number, most: number, answers: object[]) => {
    const tree = rendered(viewOf(form(least, most), { answers: { g: answers } }));
    const entries = all(tree, ({ given }) => given['class'] === 'entry').length;
    return [entries, named(tree, '_add').length, named(tree, '_remove').length];
  };
  assert.deepEqual(counts(0, 3, []), [1, 1, 0]);
  assert.deepEqual(counts(0, 3, [{}, {}]), [2, 1, 2]);
  assert.deepEqual(counts(0, 3, [{}, {}, {}]), [3, 0, 3]);
  assert.deepEqual(counts(0, 3, [{}, {}, {}, {}]), [3, 0, 3]);
  assert.deepEqual(counts(2, 3, []), [2, 1, 0]);
  assert.deepEqual(counts(2, 2, []), [2, 0, 0]);
});

test('problems are listed in the order of the page, lead to their controls and are said there', () => {
  const problems = {
    'medications.1.drug': ['Wrong.'],
    name: ['Missing.', 'Too short.'],
    _signature: ['Sign.'],
    gone: ['?'],
  };
  const tree = rendered(viewOf(EVERY_KIND, { ...FILLED, problems }));
  const summary = byId(tree, 'problems') as Found;
  assert.equal(summary.given['role'], 'alert');
  const links = all(summary, ({ tag }) => tag === 'a');
  assert.deepEqual(links.map(textIn), [
    'Your name: Missing. Too short.',
    'Name of the medicine: Wrong.',
    'Signature: Sign.',
  ]);
  const targets = links.map(({ given }) => byId(tree, (given['href'] ?? '').slice(1))?.given['name']);
  assert.deepEqual(targets, ['q.name', 'q.medications.1.drug', '_signature.name']);
  assert.match(textIn(summary), /\?/);
  const name = named(tree, 'q.name')[0] as Found;
  assert.equal(name.given['aria-invalid'], 'true');
  const [, problem = ''] = (name.given['aria-describedby'] ?? '').split(' ');
  assert.equal(textIn(byId(tree, problem) as Found), 'Missing. Too short.');
  assert.match(textIn(all(tree, ({ tag }) => tag === 'title')[0] as Found), /^Error: Before your visit/);
  const spanish = rendered(viewOf(EVERY_KIND, { problems, language: 'fr' }));
  assert.match(textIn(all(spanish, ({ tag }) => tag === 'title')[0] as Found), /^Erreur : /);
});

test('without problems there is no summary to see, and the title is plain', () => {
  const tree = rendered(viewOf(EVERY_KIND));
  assert.notEqual(byId(tree, 'problems')?.given['hidden'], undefined);
  assert.equal(textIn(all(tree, ({ tag }) => tag === 'title')[0] as Found), 'Before your visit');
});

test('what a browser would lose in a control of its own is shown as text', () => {
  for (const [born, type] of Object.entries({ '1980-02-03': 'date', '3 Feb 1980': 'text', '1980-02-30': 'text' })) {
    const [control] = named(rendered(viewOf(EVERY_KIND, { answers: { born } })), 'q.born');
    assert.deepEqual([control?.given['type'], control?.given['value']], [type, born]);
  }
});
