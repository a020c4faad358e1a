import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { findTargets, JSON_TYPE, type Target, type Targets } from '../support/body-targets.ts';
import { CEREMONIES, SAMPLE_REFUSALS } from '../support/dashboard-samples.ts';
import { SHARE, shareFor } from '../support/look.ts';
import { type RawBody, rawRequest } from '../support/raw-request.ts';
import { assertRefused, type Case, MARKER, NUMBER_MARKER } from '../support/refusals.ts';
import {
  DEFAULT_BODY_LIMIT,
  IDEMPOTENT,
  NEEDS_NO_BODY,
  PUBLIC,
  TAKES_FORMS,
  TAKES_NOTHING,
} from '../support/samples.ts';

const MB = 2 ** 20;

let app: TestApp;
let customer: TestCustomer;
let targets: Targets;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  targets = await findTargets(app, customer);
});

/** A status as the area of a target has it. */
function statusAt({ invalidStatus }: Target, status: number | undefined): { status?: number } {
  return status === undefined ? {} : { status: status === 400 ? invalidStatus : status };
}

type Bodies = Record<string, (target: Target) => RawBody>;

/** One case for each target and body. */
function casesOf(among: Target[], bodies: Bodies, status?: number): Case[] {
  return among.flatMap((target) =>
    Object.entries(bodies).map(([what, bodyOf]) => ({
      what: `${target.path}, ${what}`,
      errorKeys: target.errorKeys,
      ...statusAt(target, status),
      send: () => targets.send(target, bodyOf(target)),
    })),
  );
}

/** One case for each target and its share of bodies that all of them read in the same way, before they know their own. */
function sharedCases(among: Target[], bodies: Bodies, status: number): Case[] {
  return inAreas(among).flatMap(([target, nth, share]) =>
    casesOf([target], Object.fromEntries(shareFor(nth, Object.entries(bodies), share)), status),
  );
}

/** Targets with their number among those of their area, and the share that leaves nothing out there. */
function inAreas(among: Target[]): [target: Target, nth: number, share: number][] {
  const areas = Map.groupBy(among, ({ area }) => area);
  return [...areas.values()].flatMap((own) =>
    own.map((target, nth): [Target, number, number] => [target, nth, Math.min(own.length, SHARE)]),
  );
}

/** One case for each target and set of headers. */
function headerCases(among: Target[], headers: Record<string, string>[], status?: number): Case[] {
  return among.flatMap((target) =>
    headers.map((sent) => {
      const plain = JSON.stringify(target.sample);
      return {
        what: `${target.path} ${JSON.stringify(sent).slice(0, 80)}`,
        errorKeys: target.errorKeys,
        ...statusAt(target, status),
        send: () =>
          targets.send(target, 'content-encoding' in sent ? gzipSync(plain) : plain, { ...JSON_TYPE, ...sent }),
      };
    }),
  );
}

const MALFORMED = String.raw`
  { } [ {"a":} {"a"} {'a':1} {"a":1,} [1,] {a:1} {"a":1}{"b":2} {"a":1 [[[[[ {"a":[} ]
  nul True NaN {"a":NaN} Infinity -Infinity - 01 1. .5 +1 0x1 1e undefined
  " "a "\x" "\u12" //a{} {}/*a*/ <a/> a=b {"a":"\ud800
`
  .trim()
  .split(/\s+/);
const MALFORMED_BYTES = [' ', '"\u0001"', '"\n"', '{"a":"\0"}', '\0', '\ufeff', '\ufeff\ufeff{}', '{}\u00a0'];
const MALFORMED_MARKERS = [`{"${MARKER}":`, `"${MARKER}`, MARKER, `{${MARKER}}`];

test('malformed JSON is refused with 400', async () => {
  const texts = [...MALFORMED, ...MALFORMED_BYTES, ...MALFORMED_MARKERS];
  const bodies = Object.fromEntries(texts.map((text) => [JSON.stringify(text), () => text]));
  await assertRefused(app, sharedCases(targets.spread, bodies, 400));
  const needy = targets.spread.filter(({ operation }) => !NEEDS_NO_BODY.has(operation));
  await assertRefused(app, casesOf(needy, { nothing: () => '' }, 400));
});

test('JSON that is not an object is refused with 400, and an empty one where something is needed', async () => {
  const values = [true, false, 0, NUMBER_MARKER, 1.5, '', MARKER, [], [MARKER], [{}], [[MARKER]]];
  const bodies = Object.fromEntries(values.map((value) => [JSON.stringify(value), () => JSON.stringify(value)]));
  await assertRefused(app, casesOf(targets.spread, bodies, 400));
  const asking = targets.spread.filter(({ operation }) => !NEEDS_NO_BODY.has(operation));
  await assertRefused(app, casesOf(asking, { null: () => 'null' }, 400));
  const needy = targets.spread.filter(({ operation }) => !TAKES_NOTHING.has(operation));
  await assertRefused(app, casesOf(needy, { 'an empty object': () => '{}' }, 400));
  await withConnection(app.installation.ownerUrl, async (client) => {
    for (const target of targets.canonical.filter(({ operation }) => TAKES_NOTHING.has(operation))) {
      await targets.forget(client);
      assert.equal((await targets.send(target, '{}')).status, 200, target.operation);
    }
  });
});

/** The sample with something more at the front of its outermost object. */
const withMore = (more: string) => (target: Target) => `{${more},${JSON.stringify(target.sample).slice(1)}`;

/** The sample with its first key once more, where the later value counts. */
const withLater = (later: string) => (target: Target) => {
  const [key = ''] = Object.keys(target.sample);
  return `${JSON.stringify(target.sample).slice(0, -1)},${JSON.stringify(key)}:${later}}`;
};

const UNSAFE: Record<string, (target: Target) => RawBody> = {
  'a __proto__ below': withMore('"x":[{"y":{"__proto__":{"polluted":1}}}]'),
  'a __proto__': withMore(`"__proto__":{"polluted":"${MARKER}"}`),
  'a __proto__ of null': withMore('"__proto__":null'),
  'an escaped __proto__': withMore('"\\u005f_proto__":{"polluted":1}'),
  'U+0000': withMore(`"x":"${MARKER}\\u0000"`),
  'U+0000 below': withMore('"x":[[{"y":["\\u0000"]}]]'),
  'U+0000 in a key': withMore(`"\\u0000${MARKER}":1`),
  'half a pair': withMore(`"x":"${MARKER}\\ud800"`),
  'both halves in the wrong order': withMore('"x":["\\udc00\\ud800"]'),
  'half a pair in a key': withMore(`"\\udfff${MARKER}":1`),
  'a backslash in a key': withMore('"\\\\u00":1'),
  'a backslash in a key below': withMore(`"x":[{"a\\":b":1,"${MARKER}\\u005c" :1}]`),
  '65 levels more': withMore(`"x":${'['.repeat(65)}${']'.repeat(65)}`),
  'arrays 1e5 deep': () => '['.repeat(1e5) + ']'.repeat(1e5),
  'objects 1e5 deep': () => `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`,
  '5e5 arrays left open': () => '['.repeat(5e5),
  'a number of a million digits': withLater('9'.repeat(1_000_000)),
  'an infinite number': withLater('1e999'),
  'a later value of another type': withLater(`[["${MARKER}"]]`),
  'UTF-16': ({ sample }) => Buffer.from(`\ufeff${JSON.stringify(sample)}`, 'utf16le'),
};

test('what could pollute, overflow or not be stored is refused with 400, wherever it stands', async () => {
  await assertRefused(app, sharedCases(targets.spread, UNSAFE, 400));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a body declared as UTF-8 that is not is refused with 400', async () => {
  const invalid = ['ff', 'c3', 'eda080', 'c0af', 'f5808080'].map((hex) => Buffer.from(hex, 'hex'));
  const cases = targets.spread.flatMap((target) =>
    invalid.map((bytes) => {
      const [head = '', tail = ''] = withMore('"x":"HERE"')(target).split('HERE');
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]);
      const type = { 'content-type': 'application/json; charset=utf-8' };
      const what = `${target.path} ${bytes.toString('hex')}`;
      return {
        what,
        errorKeys: target.errorKeys,
        ...statusAt(target, 400),
        send: () => targets.send(target, body, type),
      };
    }),
  );
  await assertRefused(app, cases);
});

test('a byte order mark, a key that comes twice and names of Object.prototype do no harm', async () => {
  const plain = { 'nothing odd': ({ sample }: Target) => JSON.stringify(sample) };
  const odd: Bodies = {
    'a mark': ({ sample }: Target) => `\ufeff${JSON.stringify(sample)}`,
    'a key twice': (target: Target) => withLater(JSON.stringify(Object.values(target.sample)[0]))(target),
    'a constructor': withMore('"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":null'),
    'a backslash in a value': withMore('"x":["\\\\",{"a":"\\\\u00: "},"\\\\\\":"]'),
    '60 levels': withMore(`"x":${'['.repeat(60)}${']'.repeat(60)}`),
  };
  await withConnection(app.installation.ownerUrl, async (client) => {
    for (const [nth, target] of targets.canonical.entries()) {
      if (CEREMONIES.has(target.operation)) continue;
      const expected = SAMPLE_REFUSALS[target.operation] ?? target.success;
      const bodies = { ...plain, ...Object.fromEntries(shareFor(nth, Object.entries(odd))) };
      for (const { what, send } of casesOf([target], bodies)) {
        await targets.forget(client);
        // A submission may become evidence, so that there is no doubt which of two values was meant.
        const refused = target.operation === 'submitForm' && what.endsWith('a key twice');
        assert.equal((await send()).status, refused ? 400 : expected, what);
      }
    }
  });
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a million keys are refused', async () => {
  const keys = `{${Array.from({ length: 1e6 }, (_, index) => `"k${index}":0`).join()}}`;
  await assertRefused(app, casesOf(shareFor(0, targets.canonical), { 'a million keys': () => keys }));
});

test('a content type that is not JSON, an odd charset and a compressed body are refused with 415', async () => {
  const types = ['text/plain', 'text/json', 'application/x-www-form-urlencodedx', 'multipart/mixed; boundary=x'];
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
  const odd = ['application/jsonx', 'application', '/', MARKER, `application/${MARKER}`];
  const charsets = ['utf-16', 'utf-7', 'ebcdic', MARKER].map((charset) => `application/json; charset=${charset}`);
  const encodings = ['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', MARKER];
  const odder = [...types, ...odd, ...charsets].map((type) => ({ 'content-type': type }));
  const packed = encodings.map((encoding) => ({ 'content-encoding': encoding }));
  const asking = targets.spread.filter(({ operation }) => !NEEDS_NO_BODY.has(operation));
  const shared = inAreas(asking).flatMap(([target, nth, share]) =>
    headerCases([target], shareFor(nth, [...odder, ...packed], share), 415),
  );
  await assertRefused(app, shared);
  const formless = asking.filter(({ operation }) => !TAKES_FORMS.has(operation) && operation !== 'submitForm');
  const asForms = forms.map((type) => ({ 'content-type': type }));
  await assertRefused(app, headerCases(formless, asForms, 415));
});

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=B';
const part = (name: string, value: string, more = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

/** Forms that say the same, for what the path of an operation names. */
const GOOD_FORMS: Record<string, [type: string, body: string][]> = {
  dynamic_templates: [
    [URLENCODED, 'name=Form&body=Hello&strict=true'],
    [URLENCODED, 'data[name]=Form&data%5Bbody%5D=Hello'],
    [MULTIPART, `${part('data[name]', 'Form')}${part('data[body]', 'Hello', '; filename="a.hbs"')}--B--\r\n`],
    [MULTIPART, `${part('name', 'Form')}${part('body', 'Hello')}--B--`],
    [URLENCODED, '__proto__[polluted]=1&constructor[prototype]=1&toString=1&name=Form&body=Hello'],
  ],
  webhook_endpoints: [
    [URLENCODED, 'target_url=http://127.0.0.1:9/f&events=api_mail_log_delivered,api_mail_log_opened&active=1'],
    [URLENCODED, 'target_url=http://127.0.0.1:9/f&events[]=api_mail_log_delivered&events[]=api_mail_log_opened'],
    [MULTIPART, `${part('target_url', 'http://127.0.0.1:9/f')}${part('events', 'api_mail_log_opened')}--B--`],
  ],
};

const BAD_FORMS: [type: string, body: string][] = [
  [URLENCODED, `name=${MARKER}%00&target_url=${MARKER}%00`],
  [URLENCODED, `data=${MARKER}&events=${MARKER}`],
  [URLENCODED, `name[]=${MARKER}&target_url[]=${MARKER}`],
  [URLENCODED, `${`a=${MARKER}&`.repeat(100)}name=Form`],
  [MULTIPART, MARKER],
  [MULTIPART, `--B\r\n`],
  [MULTIPART, part('name', MARKER)],
  [MULTIPART, `${part('name', `${MARKER}\0`)}--B--`],
  [MULTIPART, `${part(MARKER, MARKER).repeat(101)}--B--`],
  [MULTIPART, `--B\r\nContent-Disposition: form-data; name="body"; filename="x"\r\n\r\n${MARKER}`],
  [MULTIPART, '--B\r\n\r\n--B--'],
  ['multipart/form-data', part('name', MARKER)],
  [`multipart/form-data; boundary=${MARKER.repeat(500)}`, part('name', MARKER)],
];

test('what takes a form reads it like JSON, and refuses one that is malformed', async () => {
  const takers = targets.canonical.filter(({ operation }) => TAKES_FORMS.has(operation));
  assert.equal(takers.length, TAKES_FORMS.size);
  await withConnection(app.installation.ownerUrl, async (client) => {
    for (const target of takers) {
      for (const [type, body] of GOOD_FORMS[target.path.split('/')[3] ?? ''] ?? []) {
        await targets.forget(client);
        const { status, text } = await targets.send(target, body, { 'content-type': type });
        assert.equal(status, target.success, `${target.operation} ${body}: ${text}`);
      }
    }
  });
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  const cases = takers.flatMap((target) =>
    BAD_FORMS.map(([type, body]) => ({
      what: `${target.operation} ${JSON.stringify(body).slice(0, 80)}`,
      errorKeys: target.errorKeys,
      send: () => targets.send(target, body, { 'content-type': type }),
    })),
  );
  await assertRefused(app, cases);
});

test('a body over the limit is 413, by its announced length before it comes and as soon as it is too long', async () => {
  await assertRefused(app, casesOf(targets.spread, { announced: ({ limit }) => ({ announced: limit + 1 }) }, 413));
  const piece = Buffer.alloc(MB, ' ');
  const chunked = ({ limit }: Target) => ({
    chunks: [...Array.from({ length: limit / MB }, () => piece), Buffer.from(' ')],
  });
  const { own = [], usual = [] } = Object.groupBy(targets.canonical, ({ limit }) =>
    limit === DEFAULT_BODY_LIMIT ? 'usual' : 'own',
  );
  await assertRefused(app, casesOf([...own, ...shareFor(0, usual)], { chunked }, 413));
  for (const target of targets.canonical) {
    const { status } = await targets.send(target, JSON.stringify(target.sample).padEnd(DEFAULT_BODY_LIMIT));
    assert.notEqual(status, 413, target.path);
  }
});

test('headers are neither repeated nor trusted', async () => {
  const keys = [`Bearer ${MARKER}`, MARKER.repeat(500), `Token token="${MARKER}`].map((authorization) => ({
    authorization,
  }));
  const repeats = [MARKER.repeat(40), ''].map((key) => ({ 'idempotency-key': key }));
  const guarded = targets.spread.filter(({ operation }) => !PUBLIC.has(operation));
  const once = targets.spread.filter(({ operation }) => IDEMPOTENT.has(operation));
  await assertRefused(app, [...headerCases(guarded, keys), ...headerCases(once, repeats)]);
  const { headers } = await rawRequest(app.url, 'GET', '/v1', { headers: { 'x-request-id': MARKER } });
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
});
