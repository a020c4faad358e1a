import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EVERYTHING } from '../../src/forms/fhir/everything.examples.ts';
import { toQuestionnaireResponse } from '../../src/forms/fhir/response.ts';
import { anyFormWithAnswers } from '../../src/forms/model/form.examples.ts';
import { todayAt } from '../../src/forms/model/today.ts';
import { checkAnswers } from '../../src/forms/model/validate.ts';
import { everyItem, PUBLIC_URL, questionnaireOf, versionOf } from './examples.ts';
import { faultsOf } from './r4-schema.ts';

const TODAY = todayAt(new Date('2026-01-02T09:00:00Z'));

test('a form with everything in it is a Questionnaire by the R4 schema', () => {
  assert.deepEqual(faultsOf(questionnaireOf(EVERYTHING)), []);
});

test('the schema finds what is broken', () => {
  const whole = questionnaireOf(EVERYTHING);
  const [page, ...more] = whole.item ?? [];
  for (const broken of [
    { ...whole, status: 'open' },
    { ...whole, colour: 'red' },
    { ...whole, title: '' },
    { ...whole, item: [{ ...page, type: 'page' }, ...more] },
    { ...whole, item: [{ ...page, linkId: undefined }] },
    { ...whole, item: [{ ...page, enableWhen: [{ question: 'a', operator: 'is' }] }] },
    { ...whole, extension: [{ url: 'a b', valueString: 'x' }] },
  ]) {
    assert.notDeepEqual(faultsOf(JSON.parse(JSON.stringify(broken))), []);
  }
});

test('any form is a Questionnaire, and any answers a QuestionnaireResponse to it', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const version = versionOf(form);
      const questionnaire = questionnaireOf(form);
      assert.deepEqual(faultsOf(questionnaire), []);
      const { answers: kept, unasked } = checkAnswers(version.model, answers, [], TODAY);
      const response = toQuestionnaireResponse(
        {
          id: '0190a5b2-7c1e-7d2a-9f00-3b6c5d4e1f20',
          formId: questionnaire.id,
          formVersion: 3,
          submitterEmail: null,
          createdAt: new Date(TODAY.utc),
          answers: kept,
          unasked,
          files: [],
          signature: null,
          amendments: [],
          signers: [],
        },
        version,
        PUBLIC_URL,
      );
      const wellFormed = JSON.parse(JSON.stringify(response));
      assert.deepEqual(faultsOf(wellFormed), []);
      const known = new Set(everyItem(questionnaire).map(({ linkId }) => linkId));
      for (const linkId of linkIdsIn(wellFormed)) assert.ok(known.has(linkId), linkId);
    }),
  );
});

test('a form with further signers and translations is a Questionnaire, each signature a part of the response', () => {
  const signers = [
    { role: 'guardian', label: 'For my child', email_question: 'e' },
    { role: 'witness', required: false },
  ];
  const es = { signature_confirmation_label: 'Todo es verdad.', items: { e: { help: 'De su madre' } } };
  const form = { fields: [{ name: 'e', type: 'email' }], signers, translations: { es } };
  assert.deepEqual(faultsOf(questionnaireOf(form)), []);

  const image = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  const evidence = (name: string | null, consentText: string) => ({
    name,
    method: 'drawn' as const,
    image,
    signedAt: '2026-01-02T03:04:05.000Z',
    consentText,
    formVersion: 3,
    formHash: 'f',
    answersHash: 'a',
    proof: 'p',
  });
  const signer = { id: '1', required: true, contact: null, expiresAt: null, settledAt: null };
  const submission = {
    id: '0190a5b2-7c1e-7d2a-9f00-3b6c5d4e1f20',
    formId: questionnaireOf(form).id,
    formVersion: 3,
    submitterEmail: null,
    createdAt: new Date(TODAY.utc),
    answers: {},
    unasked: [],
    files: [],
    amendments: [],
    signers: [
      {
        ...signer,
        ordinal: 0,
        role: 'guardian',
        state: 'signed' as const,
        signature: evidence('Eve Lee', 'For my child'),
      },
      { ...signer, ordinal: 1, role: 'witness', state: 'waiting' as const, signature: null },
      {
        ...signer,
        ordinal: 2,
        role: 'second\u00a0 signer',
        state: 'signed' as const,
        signature: evidence(null, 'Seen'),
      },
    ],
  };
  const signed = (signature: ReturnType<typeof evidence> | null) => {
    const response = toQuestionnaireResponse({ ...submission, signature }, versionOf(form), PUBLIC_URL);
    assert.deepEqual(faultsOf(JSON.parse(JSON.stringify(response))), []);
    return response.extension?.map(({ valueSignature }) => [
      valueSignature?.type[0]?.display,
      valueSignature?.who.display,
      valueSignature?.extension?.find(({ url }) => url.endsWith(':consent-text'))?.valueString,
    ]);
  };
  const others = [
    ['guardian', 'Eve Lee', 'For my child'],
    ['second  signer', 'second  signer', 'Seen'],
  ];
  assert.deepEqual(signed(evidence('Ann Lee', 'All true.')), [
    ["Author's Signature", 'Ann Lee', 'All true.'],
    ...others,
  ]);
  assert.deepEqual(signed(null), others);
});

test('names and texts that FHIR has no characters for still make valid resources', () => {
  const odd = 'a\u00a0b\u0000\u2028 c ';
  const form = {
    fields: [
      { name: odd, label: odd, type: 'radio', options: [odd, 'x  y'], help: odd, show_when: `{${odd}} == "${odd}"` },
      { name: 'm', type: 'matrix', rows: [odd], columns: [odd] },
      { type: 'heading', text: odd },
    ],
  };
  assert.deepEqual(faultsOf(questionnaireOf(form)), []);
});

interface Answered {
  linkId: string;
  item?: Answered[];
}

function linkIdsIn({ item = [] }: Pick<Answered, 'item'>): string[] {
  return item.flatMap((each) => [each.linkId, ...linkIdsIn(each)]);
}
