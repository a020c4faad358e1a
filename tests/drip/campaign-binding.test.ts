import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addMailing } from '../mailings/mailing.ts';
import { type Clinic, openApp, refused } from './campaign.ts';

let openClinic: () => Promise<Clinic>;
before(async (t) => {
  openClinic = await openApp(t as TestContext);
});

type Fields = Record<string, unknown>;

const UNKNOWN_UUID = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';
const branch = (asked: Fields): Fields => ({ type: 'branch', if: asked, then: [{ type: 'exit' }], else: [] });
const wait = (happening: Fields): Fields => ({ type: 'wait', for: happening, timeout: { days: 1 } });
const condition = (field: string, terms: string[] = ['x']) => ({ field, op: 'is', terms });

/** Tries to save a drip with a step; answers the status and what is said. */
async function tryStep({ call }: Clinic, step: Fields): Promise<[number, string]> {
  const steps = [
    { id: 'day', type: 'delay', days: 1 },
    { id: 's7', ...step },
  ];
  const { status, body } = await call('POST', '/drip_campaigns', { drip_campaign: { name: 'Try', steps } });
  return [status, body.error ?? ''];
}

/** Every step that names something, with ids of whoever has these. */
function naming({
  mailingId,
  listId,
  segmentId,
  formId,
}: Pick<Clinic, 'mailingId' | 'listId' | 'segmentId' | 'formId'>) {
  return [
    { type: 'email', campaign_mailing_id: mailingId },
    branch({ opened: mailingId }),
    branch({ clicked: mailingId }),
    branch({ segment: segmentId }),
    branch(condition('list', [listId])),
    branch({ filters: [[condition('opened', [mailingId])]] }),
    wait({ event: 'opened', campaign_mailing_id: mailingId }),
    wait({ event: 'joined', subscription_list_id: listId }),
    wait({ event: 'form_submitted', form_id: formId }),
    { type: 'list', add: listId },
    { type: 'list', remove: listId },
  ];
}

test('what a step names must be there and be the customer’s own, and the step is named', async () => {
  const [clinic, stranger] = [await openClinic(), await openClinic()];
  for (const step of naming(clinic)) {
    const [status, error] = await tryStep(clinic, step);
    assert.equal(status, 200, `${JSON.stringify(step)}: ${error}`);
  }
  for (const step of naming(stranger)) {
    const [status, error] = await tryStep(clinic, step);
    assert.equal(status, 403, `${JSON.stringify(step)}: ${error}`);
    assert.match(error, /^drip_campaign\.steps: step s7: /);
  }
  const nothing = { mailingId: '999999', listId: '999999', segmentId: UNKNOWN_UUID, formId: UNKNOWN_UUID };
  for (const step of naming(nothing)) {
    const [status, error] = await tryStep(clinic, step);
    assert.equal(status, 404, `${JSON.stringify(step)}: ${error}`);
    assert.match(error, /^drip_campaign\.steps: step s7: /);
  }
});

test('the list, the form and the goal of a drip must be the customer’s own', async () => {
  const [clinic, stranger] = [await openClinic(), await openClinic()];
  const wrong: [Fields, number][] = [
    [{ subscription_list_id: stranger.listId }, 403],
    [{ subscription_list_id: '999999' }, 404],
    [{ subscription_list_id: 'none' }, 404],
    [{ start_trigger: 'form_submitted', form_id: stranger.formId }, 403],
    [{ start_trigger: 'form_submitted', form_id: UNKNOWN_UUID }, 404],
    [{ start_trigger: 'form_submitted', form_id: 'none' }, 404],
    [{ goal: { segment: stranger.segmentId } }, 403],
    [{ goal: { event: 'joined', subscription_list_id: stranger.listId } }, 403],
    [{ goal: { clicked: stranger.mailingId } }, 403],
    [{ goal: { event: 'form_submitted', form_id: UNKNOWN_UUID } }, 404],
  ];
  const id = await clinic.addDrip();
  for (const [fields, status] of wrong) {
    const drip_campaign = { name: 'No', ...fields };
    const made = await clinic.call('POST', '/drip_campaigns', { drip_campaign });
    const changed = await clinic.call('PATCH', `/drip_campaigns/${id}`, { drip_campaign });
    assert.deepEqual([made.status, changed.status], [status, status], JSON.stringify(fields));
  }
});

test('health data stays out of what everybody could tell from a mail or a branch, and the step is named', async () => {
  const clinic = await openClinic();
  const { app, customer, take } = clinic;
  const addField = (name: string, kind: string, fieldClass: string) =>
    take('POST', '/subscriber_custom_field_types', { name, kind, class: fieldClass });
  await addField('Diagnosis', 'text', 'phi');
  await addField('Visits', 'number', 'personal');
  const plain = await addMailing(app, customer);
  const wrong: [Fields, number, RegExp][] = [
    [{ type: 'email', campaign_mailing_id: plain, subject: 'About {{Diagnosis}}' }, 422, /subject/],
    [branch(condition('Diagnosis')), 400, /health data/],
    [branch({ filters: [[condition('first_name')], [condition('Diagnosis')]] }), 400, /health data/],
    [branch(condition('Unheard of')), 400, /names no field/],
    [branch({ field: 'Visits', op: 'contains', terms: ['1'] }), 400, /op/],
    [{ type: 'field', name: 'Unheard of', value: 'x' }, 422, /no such custom field/],
    [{ type: 'field', name: 'Visits', value: 'many' }, 422, /number/],
    [{ type: 'field', name: 'Diagnosis', value: 'asthma' }, 422, /about health/],
    [{ type: 'webhook', url: 'http://example.org/x' }, 422, /https/],
    [{ type: 'webhook', url: 'https://10.0.0.1/x' }, 422, /public/],
  ];
  for (const [step, status, said] of wrong) {
    const [was, error] = await tryStep(clinic, step);
    assert.equal(was, status, `${JSON.stringify(step)}: ${error}`);
    assert.match(error, /^drip_campaign\.steps: step s7: /);
    assert.match(error, said);
  }
  for (const step of [
    { type: 'field', name: 'Diagnosis', value: '' },
    { type: 'field', name: 'Visits', value: 3 },
    { type: 'webhook', url: 'https://example.org/x' },
  ]) {
    assert.equal((await tryStep(clinic, step))[0], 200, JSON.stringify(step));
  }
  const goal = { goal: condition('Diagnosis') };
  assert.equal((await clinic.call('POST', '/drip_campaigns', { drip_campaign: { name: 'No', ...goal } })).status, 400);
});

test('a step cannot mail what says nothing yet, and a running drip keeps its fields from being sealed', async () => {
  const clinic = await openClinic();
  const { app, customer, take, call, addDrip } = clinic;
  const empty = await addMailing(app, customer, { html_part: null });
  const [status, error] = await tryStep(clinic, { type: 'email', campaign_mailing_id: empty });
  assert.equal(status, 422);
  assert.match(error, /step s7: .*says nothing yet/);

  const { data: field } = await take('POST', '/subscriber_custom_field_types', { name: 'Ward', class: 'personal' });
  const id = await addDrip({ steps: [{ id: 'ward', ...branch(condition('Ward')) }] });
  const seal = () => call('PATCH', `/subscriber_custom_field_types/${field.id}`, { class: 'phi' });
  const draft = await addDrip({ steps: [{ id: 'ward', ...branch(condition('Ward')) }] });
  await take('POST', `/drip_campaigns/${id}/start`);
  assert.equal((await seal()).status, 409);
  await take('POST', `/drip_campaigns/${id}/complete`);
  assert.equal((await seal()).status, 200);
  const [late, said] = await refused(call('POST', `/drip_campaigns/${draft}/start`));
  assert.equal(late, 400, 'what became health data since it was saved is found when it starts');
  assert.match(said, /step ward: .*health data/);
});
