import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExportedSubmission } from './exported-submission.ts';
import { choices, form, group, heading, page, png, question, section, submission, whole } from './form.examples.ts';
import { type PdfInput, writePdf } from './pdf.ts';

interface Line {
  text: string;
  page: number;
  /** Where it ends, in points from the left. */
  right: number;
}

const RIGHT_MARGIN = 612 - 54;

function objectsIn(pdf: string): Map<string, string> {
  return new Map(Array.from(pdf.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms), ([, id = '', body = '']) => [id, body]));
}

/** The letters and widths of a font by its glyphs. */
function fontOf(objects: Map<string, string>, id: string) {
  const body = objects.get(id) ?? '';
  const map = objects.get(/\/ToUnicode (\d+) 0 R/.exec(body)?.[1] ?? '') ?? '';
  const ranges = Array.from(map.matchAll(/^<\w+> <\w+> \[(.*?)\]$/gm), ([, list = '']) => list.split('> <'));
  const letters = ranges
    .flat()
    .map((hex) => Buffer.from(hex.replaceAll(/[<> ]/g, ''), 'hex').swap16().toString('utf16le'));
  const descendant = objects.get(/\/DescendantFonts \[(\d+) 0 R\]/.exec(body)?.[1] ?? '') ?? '';
  const widths = /\/W \[0 \[([^\]]*)\]/.exec(descendant)?.[1]?.split(' ').map(Number) ?? [];
  return { letters, widths };
}

/** The lines of text in the order they are drawn, read from a PDF that is not compressed. */
function linesIn(pdf: Buffer): Line[] {
  const objects = objectsIn(pdf.toString('latin1'));
  const fonts = new Map<string, ReturnType<typeof fontOf>>();
  const lines: Line[] = [];
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body));
  for (const [at, body] of pages.entries()) {
    const resources = objects.get(/\/Resources (\d+) 0 R/.exec(body)?.[1] ?? '') ?? '';
    for (const [, name = '', id = ''] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      if (!fonts.has(name)) fonts.set(name, fontOf(objects, id));
    }
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '') ?? '';
    const drawn = /1 0 0 1 ([\d.]+) [\d.]+ Tm\n\/(F\d+) ([\d.]+) Tf\n.*?\[(.*?)\] TJ/gs;
    for (const [, x, name = '', size, glyphs = ''] of content.matchAll(drawn)) {
      const font = fonts.get(name) ?? assert.fail(name);
      const ids = Array.from(glyphs.matchAll(/<(\w+)>/g), ([, hex = '']) => hex.match(/.{4}/g) ?? []).flat();
      const numbers = ids.map((hex) => Number.parseInt(hex, 16));
      const kerning = glyphs
        .replaceAll(/<\w+>/g, ' ')
        .split(' ')
        .reduce((sum, move) => sum + Number(move), 0);
      const width = numbers.reduce((sum, glyph) => sum + (font.widths[glyph] ?? 0), -kerning);
      const text = numbers.map((glyph) => font.letters[glyph] ?? '?').join('');
      lines.push({
        text: text.replaceAll('\u200b', ''),
        page: at + 1,
        right: Number(x) + (width * Number(size)) / 1_000,
      });
    }
  }
  return lines;
}

async function pdfOf(input: Partial<PdfInput> & { submission: ExportedSubmission }): Promise<Buffer> {
  return whole(writePdf({ title: 'Intake', model: form(), signable: false, compress: false, ...input }));
}

async function textOf(input: Partial<PdfInput> & { submission: ExportedSubmission }): Promise<string[]> {
  const lines = linesIn(await pdfOf(input)).map((line) => line.text.trim());
  return lines.filter((line) => !/^(?:Page \d|Submission |Submitted |Form version )/.test(line));
}

const SIGNATURE = {
  name: 'Ann Lee',
  method: 'drawn' as const,
  signedAt: new Date('2024-06-05T14:21:00Z'),
  consentText: 'I confirm this.',
  formVersion: 3,
  formHash: 'f'.repeat(64),
  answersHash: 'a'.repeat(64),
  image: png(30, 10),
};
const WHEN = { kind: 'literal', value: true } as const;

test('questions stand in their order with headings and answers', async () => {
  const model = form(
    page('First page', [
      heading('Please read'),
      question('text', 'name', 'Name'),
      section('Insurance', [
        question('radio', 'plan', 'Plan', { choices: choices('Gold') }),
        question('text', 'no', 'Number'),
      ]),
    ]),
    page(null, [
      question('checkboxes', 'had', 'Had', { choices: choices('Flu', 'Cold') }),
      group('drugs', 'Drugs', [question('text', 'drug', 'Drug')]),
      question('consent', 'ok', 'Consent', { text: 'I agree to it.' }),
    ]),
  );
  const answers = {
    name: 'Ännchen',
    plan: 'gold',
    had: ['flu', 'cold'],
    drugs: [{ drug: 'Aspirin' }],
    ok: true,
    x: { y: 1 },
  };
  assert.deepEqual(
    await textOf({ model, submission: submission(answers, { submitterEmail: 'ann@example.com' }) }),
    [
      'Intake',
      'Submitter ann@example.com',
      ['First page', 'Please read', 'Name', 'Ännchen', 'Insurance', 'Plan', 'Gold', 'Number', 'Not answered'],
      ['Had', 'Flu', 'Cold', 'Drugs', '1. Drug: Aspirin', 'Consent', 'I agree to it.', 'Yes'],
      ['Further answers', 'x', 'y: 1'],
    ].flat(),
  );
});

test('what was not asked is left out, with the headings that would stand alone', async () => {
  const model = form(
    page('Asked', [
      question('text', 'a', 'A'),
      question('text', 'b', 'B', { showWhen: WHEN }),
      question('hidden', 'h', 'H'),
    ]),
    page('Not asked', [
      section('Nor this', [question('text', 'c', 'C'), question('text', 'd', 'D', { showWhen: WHEN })]),
    ]),
  );
  const sent = submission({ c: 'sent anyway' }, { unasked: ['c'] });
  assert.deepEqual(await textOf({ model, submission: sent }), ['Intake', 'Asked', 'A', 'Not answered']);
  const told = await textOf({ model, submission: sent, isAsked: ({ id }) => id === 'Asked' || id === 'b' });
  assert.deepEqual(told, ['Intake', 'Asked', 'B', 'Not answered']);
});

test('what was not asked in an entry of a group stands apart from what was', async () => {
  const drugs = group('g', 'Drugs', [question('text', 'drug', 'Drug'), question('text', 'dose', 'Dose')]);
  const answers = { g: [{ drug: 'Aspirin' }, { drug: 'Insulin', dose: '3', colour: 'red' }] };
  const sent = submission(answers, { unasked: ['g.1.dose', 'g.1.colour'] });
  assert.deepEqual(await textOf({ model: form(page(null, [drugs])), submission: sent }), [
    'Intake',
    'Drugs',
    '1. Drug: Aspirin',
    '2. Drug: Insulin',
    'Further answers',
    'g.1.colour',
    'red',
  ]);
});

test('a form of unknown shape shows all that was sent', async () => {
  const sent = submission({ first: 'x', second: ['y', 'z'] }, { unasked: ['first', 'second'] });
  assert.deepEqual(await textOf({ submission: sent }), ['Intake', 'Answers', 'first', 'x', 'second', 'y; z']);
});

test('attachments and the signature are shown with what proves them', async () => {
  const attachments = [{ id: '1', name: 'scan.pdf', type: 'application/pdf', size: 1_234_567, sha256: 'b'.repeat(64) }];
  const text = await textOf({ submission: submission({}, { attachments, signature: SIGNATURE }) });
  assert.deepEqual(
    text,
    [
      'Intake',
      ['Attachments', 'scan.pdf', 'application/pdf, 1.2 MB (1,234,567 bytes)', `SHA-256 ${'b'.repeat(64)}`],
      ['Signature', 'Name', 'Ann Lee', 'Method', 'Drawn', 'Signed at', '2024-06-05 02:21:00 PM UTC'],
      ['Consent', 'I confirm this.', 'Form version', '3'],
      ['Hash of the form', 'f'.repeat(64), 'Hash of the answers', 'a'.repeat(64)],
    ].flat(),
  );
  assert.deepEqual(await textOf({ submission: submission({}), signable: true }), ['Intake', 'Signature', 'Not signed']);
});

test('an image that is none is named and does not break the page', async () => {
  const broken = [Buffer.from('no image'), png(30, 10).subarray(0, 60), png(30, 10, Buffer.alloc(7)), Buffer.alloc(0)];
  for (const image of broken) {
    const text = await textOf({ submission: submission({}, { signature: { ...SIGNATURE, image } }) });
    assert.equal(text[2], 'The signature image cannot be shown.');
    assert.equal(text[4], 'Ann Lee');
  }
});

test('the document is tagged, has a language and a title, and its footer is no content', async () => {
  const title = 'Intake <b> & ]]> more\n';
  const pdf = (await pdfOf({ title, submission: submission({ a: 'x' }, { signature: SIGNATURE }) })).toString('latin1');
  for (const mark of [
    '/Marked true',
    '/Lang (en-US)',
    '/DisplayDocTitle true',
    '/StructTreeRoot',
    '/S /H1',
    '/S /H2',
  ]) {
    assert.ok(pdf.includes(mark), mark);
  }
  for (const mark of [
    '/S /L\n',
    '/S /LI',
    '/S /Lbl',
    '/S /LBody',
    '/S /P',
    '/S /Figure',
    '/Alt (Signature of Ann Lee)',
  ]) {
    assert.ok(pdf.includes(mark), mark);
  }
  assert.ok(pdf.includes('(Intake <b> & ]]> more)'));
  assert.match(pdf, /<rdf:li xml:lang="x-default">Intake &#60;b&#62; &#38; ]]&#62; more<\/rdf:li>/);
  assert.match(pdf, /<pdfuaid:part>1<\/pdfuaid:part>/);
  assert.equal(pdf.match(/\/Artifact <</g)?.length, pdf.match(/\/Type \/Page\n/g)?.length);
  assert.equal(pdf.match(/ BDC\n/g)?.length, pdf.match(/^EMC$/gm)?.length);
  assert.doesNotMatch(pdf, /Helvetica/);
});

test('500 fields and 200 KB of text are numbered over the pages, and no line leaves the page', async () => {
  const fields = Array.from({ length: 500 }, (_, at) => question('text', `q${at}`, `Question ${at}`));
  const model = form(
    page('All', [...fields, question('long_text', 'story', 'Story'), question('text', 'word', 'Word')]),
  );
  const answers: Record<string, unknown> = Object.fromEntries(fields.map(({ name }, at) => [name, `Answer ${at}`]));
  const words = Array.from({ length: 25_000 }, (_, at) => `word${at % 1_000}${at % 50 === 0 ? '\n' : ''}`);
  const wide = 'W'.repeat(5_000) + '\u00a0W'.repeat(2_500) + ' '.repeat(100_000);
  const lines = linesIn(
    await pdfOf({ model, submission: submission({ ...answers, story: words.join(' '), word: `${wide}.` }) }),
  );
  for (const line of lines) assert.ok(line.right <= RIGHT_MARGIN + 0.1, `${line.right} ${line.text}`);
  const text = lines.map((line) => line.text.trim());
  const last = lines.at(-1)?.page ?? 0;
  assert.ok(last > 30);
  for (let number = 1; number <= last; number += 1) assert.ok(text.includes(`Page ${number} of ${last}`));
  for (let at = 0; at < 500; at += 1) assert.ok(text.includes(`Question ${at}`) && text.includes(`Answer ${at}`));
  const letters = text
    .filter((line) => !/^(?:Page|Submission) /.test(line))
    .join('')
    .replaceAll(/\s/g, '');
  assert.ok(letters.includes(words.join('').replaceAll(/\s/g, '')));
  assert.ok(letters.endsWith(`${'W'.repeat(7_500)}.`));
});

test('a text costs what its length is, whatever it is made of', async () => {
  for (const sign of [' ', '\u00a0', '\u0301', '\u200b', '\u200d', '\n', '\r']) {
    const started = process.cpuUsage();
    await pdfOf({ submission: submission({ a: `x${sign.repeat(200_000)}x` }) });
    assert.ok(process.cpuUsage(started).user < 5_000_000, JSON.stringify(sign));
  }
});

test('a text of line feeds makes no thousands of pages, and others are served meanwhile', async () => {
  const feeds = `a${'\n'.repeat(2_000_000)}b`;
  const keys = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}${'\n'.repeat(1_000)}`, 'short']));
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  });
  const lines = linesIn(await pdfOf({ submission: submission({ a: feeds, c: feeds, d: feeds, ...keys, z: 'last' }) }));
  clearInterval(beat);
  const text = lines.map((line) => line.text.trim());
  assert.ok((lines.at(-1)?.page ?? 0) < 500, String(lines.at(-1)?.page));
  assert.ok(longest < 2_000, String(longest));
  assert.ok(text.filter((line) => line === 'Shortened here.').length >= 3);
  assert.ok(text.includes('last'));
  assert.ok(text.some((line) => line.startsWith('Where an answer is shortened or left out, the CSV export')));
});

test('answers that no question asked for make no thousands of pages, however many there are, and the signature stays', async () => {
  const feeds = 'a\n'.repeat(5_000);
  const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
  const sent = submission({ a: feeds, b: feeds, c: feeds, d: feeds, ...keys }, { signature: SIGNATURE });
  const lines = linesIn(await pdfOf({ submission: sent }));
  const text = lines.map((line) => line.text.trim());
  assert.ok((lines.at(-1)?.page ?? 0) < 600, String(lines.at(-1)?.page));
  for (const told of ['k2000', 'The answers that follow are left out here.', 'Ann Lee', SIGNATURE.answersHash]) {
    assert.ok(text.includes(told), told);
  }
});

test('an entry of thousands of lines is drawn while others are served, up to a few hundred pages', async () => {
  const model = form(page(null, [group('g', 'G', [question('text', 'a', 'A')])]));
  const g = Array.from({ length: 8_000 }, () => ({ a: 'x' }));
  let turns = 0;
  const beat = setInterval(() => (turns += 1));
  const text = await textOf({ model, submission: submission({ g }) });
  clearInterval(beat);
  assert.ok(turns > 50, String(turns));
  assert.ok(text.includes('5000. A: x') && text.includes('Shortened here.') && !text.includes('5001. A: x'));
});

test('a long line is drawn whole, and others are served meanwhile', async () => {
  const words = Array.from({ length: 30_000 }, (_, at) => `word${at % 1_000}`);
  let turns = 0;
  const beat = setInterval(() => (turns += 1));
  const text = await textOf({ submission: submission({ a: words.join(' ') }) });
  clearInterval(beat);
  assert.equal(text.includes('Shortened here.'), false);
  assert.ok(text.slice(3).join('').replaceAll(/\s/g, '').includes(words.join('')));
  assert.ok(turns > 5, String(turns));
});

test('signs that turn the direction of writing are left out, and those without a shape are kept for readers', async () => {
  const pdf = await pdfOf({ submission: submission({ a: 'abc\u202edef\0\u0007', b: '東京' }) });
  assert.ok(linesIn(pdf).some((line) => line.text === 'abcdef'));
  const actual = `\ufeff東京`;
  assert.ok(pdf.includes(Buffer.concat([Buffer.from('/ActualText ('), Buffer.from(actual, 'utf16le').swap16()])));
  assert.match((await textOf({ submission: submission({ b: '東京' }) })).at(-1) ?? '', /^Where a box stands/);
});

test('the same submission makes the same bytes', async () => {
  const sent = submission({ a: 'plain text', b: 'with\u00a0a hard space' }, { signature: SIGNATURE });
  const first = await pdfOf({ submission: sent, compress: true });
  assert.ok(first.equals(await pdfOf({ submission: sent, compress: true })));
});

test('nothing of one document is left in the next', async () => {
  // The sign U+FB01 and the letters f and i have one shape, which remembers what it was first used for.
  assert.deepEqual((await textOf({ submission: submission({ a: 'o\ufb01ce' }) })).slice(2), ['a', 'o\ufb01ce']);
  assert.deepEqual((await textOf({ submission: submission({ a: 'defined' }) })).slice(2), ['a', 'defined']);
});

test('amendments stand after what was submitted, which stays as it was', async () => {
  const model = form(page(null, [question('radio', 'a', 'Smoker', { choices: choices('Not any more', 'No') })]));
  const by = { kind: 'key', id: 'k' } as const;
  const common = { at: new Date('2024-07-01T00:00:00Z'), by, unasked: null, requestedBy: null, beforeHash: 'f00d' };
  const lines = await textOf({
    model,
    submission: submission({ a: 'no' }),
    amendments: [
      { ...common, id: '1', changes: { a: 'not_any_more', b: null }, statement: null, reason: 'Misheard' },
      { ...common, id: '2', changes: null, statement: 'I disagree.', reason: null, requestedBy: 'Ann' },
    ],
  });
  assert.deepEqual(lines.slice(lines.indexOf('Smoker')), [
    'Smoker',
    'No',
    'Amendments',
    'The answers above are as they were submitted.',
    'Amended, 2024-07-01 12:00:00 AM UTC',
    'Smoker: Not any more',
    'b: no answer',
    'Reason: Misheard',
    'SHA-256 of the answers before f00d',
    'Statement of disagreement, 2024-07-01 12:00:00 AM UTC',
    'I disagree.',
    'Requested by: Ann',
    'SHA-256 of the answers before f00d',
  ]);
});
