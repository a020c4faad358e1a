import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGraph } from './read-graph.ts';
import { refusalOf } from './refusals.examples.ts';

const email = (mailing: number) => ({ type: 'email', campaign_mailing_id: mailing });
const nap = { type: 'delay', days: 1 };
const opened = (more: object = {}) => ({
  id: 'wait',
  type: 'wait',
  for: { event: 'opened', ...more },
  timeout: { days: 1 },
});
const clicked = { ...opened(), for: { event: 'clicked' } };
const branch = (then: object[], otherwise: object[] = []) => ({
  type: 'branch',
  if: { segment: SEGMENT },
  then,
  else: otherwise,
});
const SEGMENT = '01890000-0000-7000-8000-000000000001';

/** The mailing that the step named `wait` waits for. */
function waitedFor(steps: object[]): string | undefined {
  const wait = readGraph({ steps })?.nodes.find(({ id }) => id === 'wait');
  assert.ok(wait?.type === 'wait' && 'campaign_mailing_id' in wait.for);
  return wait.for.campaign_mailing_id;
}

test('a wait that names no mailing is about the email step before it, by whichever way people come', () => {
  const cases: [steps: object[], mailing: string][] = [
    [[email(1), opened()], '1'],
    [[email(1), clicked], '1'],
    [[email(1), opened({ campaign_mailing_id: null })], '1'],
    [[email(1), opened({ campaign_mailing_id: 7 })], '7'],
    [[email(1), nap, email(2), nap, opened()], '2'],
    [[email(1), opened(), email(2)], '1'],
    [[email(1), branch([nap, opened()]), email(2)], '1'],
    [[email(1), branch([email(2), opened()], [email(3)])], '2'],
    [[branch([email(2)], [email(2)]), opened()], '2'],
    [[branch([email(2)]), opened()], '2'],
    [
      [
        { id: 'again', ...email(5) },
        { ...opened(), else: [nap, { type: 'goto', step: 'again' }] },
      ],
      '5',
    ],
  ];
  for (const [steps, mailing] of cases) assert.equal(waitedFor(steps), mailing, JSON.stringify(steps));
});

test('a wait before which there is no mail, or one of several, has to name it', () => {
  const none = 'step wait names no campaign_mailing_id, and no mail comes before it';
  const several = 'step wait names no campaign_mailing_id, and different mailings come before it';
  const cases: [steps: object[], rule: string][] = [
    [[opened()], none],
    [[nap, opened(), email(1)], none],
    [[email(1), branch([email(2)]), opened()], several],
    [[branch([email(1)], [email(2)]), opened()], several],
  ];
  for (const [steps, rule] of cases) {
    const field = 'drip_campaign.steps';
    assert.deepEqual(
      refusalOf(() => readGraph({ steps })),
      { code: 'unprocessable', field, rule },
      JSON.stringify(steps),
    );
  }
});

test('the same is said of nodes', () => {
  const nodes = [
    { id: 'mail', ...email(3), next: 'wait' },
    { ...opened(), then: null, else: null },
  ];
  const [, wait] = readGraph({ drip_campaign_nodes: JSON.stringify(nodes) })?.nodes ?? [];
  assert.deepEqual(wait?.type === 'wait' && wait.for, { event: 'opened', campaign_mailing_id: '3' });
});
