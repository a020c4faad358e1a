import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { namePattern } from '../../src/marketing/name-pattern.ts';
import { AppError } from '../../src/platform/errors.ts';
import { rowsOf } from '../marketing/support.ts';
import { type Clinic, openApp } from './campaign.ts';

let openClinic: () => Promise<Clinic>;
before(async (t) => {
  openClinic = await openApp(t as TestContext);
});

/** Expressions on which engines that go back on their steps never end, or which grow beyond measure. */
const EVIL = [
  '^(a+)+$',
  '(a|a)*b',
  '(a|aa)+$',
  '(a*)*b',
  '(a*)*\\1b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){25}',
  '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x',
  '((a{1,100}){1,100}){1,100}',
  '(a{1,30}){1,30}b',
  'a{1001}',
  '(?:a?){250}a{250}',
  '(?=a)a',
  '(?!a)a',
  '(?<=a)b',
  '(?<!a)b',
  '(?>a+)b',
  'a++b',
  '(a)\\1',
  '(?P<n>a)(?P=n)',
  '[a-z',
  '(((((',
  '*a',
  '\\',
  '[[:nope:]]',
  '\\p{Nope}',
  `${'('.repeat(120)}a${')'.repeat(120)}`,
  `${'(a|'.repeat(60)}b${')'.repeat(60)}`,
  '.*'.repeat(128),
  '(a*)*'.repeat(51),
  '[\\x{10000}-\\x{10FFFF}]+$',
  '(?i)(ſ|K)+$',
];

/** Expressions that find themselves in another state at each letter of a name that is made of a and b. */
const RESTLESS = [
  '[ab]*a[ab]{90}$',
  '(?:[ab]*a[ab]{30}){3}$',
  '[ab]*a\\pL{900}$',
  '(?i)\\pL{900}$',
  '([ab]?a[ab]?){300}$',
];

const LONG_NAMES = Array.from({ length: 300 }, (_, n) => `${'a'.repeat(240)}${n}!`);
const MIXED_NAMES = Array.from({ length: 300 }, () =>
  Array.from(randomBytes(250), (byte) => (byte % 2 === 0 ? 'a' : 'b')).join(''),
);

/** How long an expression keeps the processor busy, on names of the worst kind; refused ones too. */
function costOf(expression: string, names: string[]): number {
  const start = process.cpuUsage();
  try {
    const fits = namePattern(expression);
    for (const name of names) fits(name);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_regex', expression);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

test('no expression costs more than 100 ms, however it is made', () => {
  for (const names of [LONG_NAMES, MIXED_NAMES]) {
    for (const expression of [...EVIL, ...RESTLESS]) {
      // The least of some: what else the process does in between is no part of it.
      const costs: number[] = [];
      while (costs.length < 5 && Math.min(...costs) > 100) costs.push(costOf(expression, names));
      assert.ok(Math.min(...costs) <= 100, `${expression}: ${costs.join(', ')} ms`);
    }
  }
});

/** How many names are looked at until it is too much, where each takes so long. */
function lookedAt(ms: number): number {
  let now = 0;
  const fits = namePattern('a', () => now);
  let count = 0;
  try {
    for (const name of LONG_NAMES) {
      if (fits(name)) count += 1;
      now += ms;
    }
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_regex');
    assert.equal(error.message, 'search takes too long');
  }
  return count;
}

test('the names of one request share what an expression may take', () => {
  assert.deepEqual([lookedAt(0.1), lookedAt(2), lookedAt(1_000)], [300, 28, 4]);
});

test('an expression that takes too long over the names of drips is refused', async () => {
  const { app, customer, call, addDrip } = await openClinic();
  const id = await addDrip();
  await rowsOf(
    app,
    `insert into drip_campaigns (customer_id, name, subscription_list_id, start_trigger, reentry, time_zone, state,
       mode, version, created_at, updated_at)
     select customer_id, name, subscription_list_id, start_trigger, reentry, time_zone, state, mode, version, created_at,
       updated_at
     from (select customer_id, subscription_list_id, start_trigger, reentry, time_zone, state, mode, version, created_at,
       updated_at from drip_campaigns where customer_id = $1 and id = $2) d cross join unnest($3::text[]) as name`,
    [customer.id, id, MIXED_NAMES],
  );
  const { status, body } = await call('GET', `/drip_campaigns?search=${encodeURIComponent('[ab]*a[ab]{90}$')}`);
  assert.deepEqual([status, body.code, body.details], [400, 'invalid_regex', { search: ['takes too long'] }]);
});

test('an expression is answered or refused as one', async () => {
  const { call, take, addDrip } = await openClinic();
  const name = 'a'.repeat(200);
  await addDrip({ name });
  for (const expression of EVIL) {
    const { status, body } = await call('GET', `/drip_campaigns?search=${encodeURIComponent(expression)}`);
    if (status === 200) continue;
    assert.deepEqual([status, body.code, Object.keys(body.details)], [400, 'invalid_regex', ['search']], expression);
    assert.ok(!body.error.includes(expression) || expression.length < 3, 'what was sent is not repeated');
  }
  const { data } = await take('GET', `/drip_campaigns?search=${encodeURIComponent('^(a+)+$')}`);
  assert.equal(data.length, 1);
  for (const refused of ['(?=a)a', '(a)\\1', '[a-z', 'a'.repeat(257), '((a{1,100}){1,100}){1,100}']) {
    const { status, body } = await call('GET', `/drip_campaigns?search=${encodeURIComponent(refused)}`);
    assert.deepEqual([status, body.code], [400, 'invalid_regex'], refused);
  }
  const longest = `^a+$|${'b'.repeat(251)}`;
  assert.equal((await take('GET', `/drip_campaigns?search=${encodeURIComponent(longest)}`)).data.length, 1);
});
