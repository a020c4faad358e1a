import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Endpoint, findEndpoints } from '../support/endpoints.ts';
import { type RawBody, rawRequest } from '../support/raw-request.ts';
import {
  assertNothingLogged,
  assertRefused,
  type Case,
  countRows,
  faultsOf,
  MARKER,
  NUMBER_MARKER,
} from '../support/refusals.ts';

const MB = 2 ** 20;

/** A body with every field for each operation that takes one. */
const SAMPLES: Record<string, object> = {
  sendMessage: {
    data: {
      message: {
        recipients: ['ann@example.com'],
        cc: ['cc@example.com'],
        bcc: ['bcc@example.com'],
        headers: { from: 'clinic@example.org', subject: 'Results', 'reply-to': 'desk@example.org', 'X-Ward': '7' },
        content: { 'text/plain': 'Here.', 'text/html': '<p>Here.</p>' },
        attachments: [
          { fileName: 'a.txt', contentType: 'text/plain', content: 'YWJj', contentId: 'a', disposition: 'inline' },
        ],
        allowNonTLS: false,
        allow_non_tls: 0,
        forceSecureNotification: false,
        force_secure_notification: '',
        template_id: null,
      },
      template_id: null,
    },
  },
  createSubscriber: {
    subscriber: {
      email: 'ann@example.com',
      phone_number: '+14155550123',
      first_name: 'Ann',
      last_name: 'Lee',
      custom_fields: [{ Ward: '7' }, { name: 'Doctor', value: 'Kim' }],
    },
    subscription_list_id: null,
  },
  setUpUser: { token: 'no such token', password: 'correct horse battery staple' },
};

const BODY_LIMITS: Record<string, number> = { sendMessage: 100 * MB };
const DEFAULT_BODY_LIMIT = MB;

/** An endpoint that takes a body. */
interface Target extends Endpoint {
  sample: object;
  limit: number;
  fits(body: unknown): boolean;
}

let app: TestApp;
let customer: TestCustomer;
let targets: Target[];
let canonical: Target[];

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  targets = (await findEndpoints(app, customer)).flatMap((endpoint) => {
    const { operation, schema } = endpoint;
    if (schema === null) return [];
    const sample = SAMPLES[operation];
    assert.ok(sample, `${operation} needs a sample of its body`);
    const validator = Compile(schema);
    const fits = (body: unknown) => validator.Check(JSON.parse(JSON.stringify(body)));
    return [{ ...endpoint, sample, limit: BODY_LIMITS[operation] ?? DEFAULT_BODY_LIMIT, fits }];
  });
  canonical = targets.filter((target) => target.canonical);
});

const JSON_TYPE = { 'content-type': 'application/json' };

function send({ method, path }: Target, body: RawBody, headers: Record<string, string> = JSON_TYPE) {
  const authorization = `Bearer ${customer.key}`;
  return rawRequest(app.url, method, path, { headers: { authorization, ...headers }, body });
}

/** One case for each target and body. */
function casesOf(among: Target[], bodies: Record<string, (target: Target) => RawBody>, status?: number): Case[] {
  return among.flatMap((target) =>
    Object.entries(bodies).map(([what, bodyOf]) => ({
      what: `${target.path}, ${what}`,
      errorKeys: target.errorKeys,
      ...(status === undefined ? {} : { status }),
      send: () => send(target, bodyOf(target)),
    })),
  );
}

/** One case for each target and set of headers. */
function headerCases(headers: Record<string, string>[], status?: number): Case[] {
  return targets.flatMap((target) =>
    headers.map((sent) => {
      const plain = JSON.stringify(target.sample);
      return {
        what: `${target.path} ${JSON.stringify(sent).slice(0, 80)}`,
        errorKeys: target.errorKeys,
        ...(status === undefined ? {} : { status }),
        send: () => send(target, 'content-encoding' in sent ? gzipSync(plain) : plain, { ...JSON_TYPE, ...sent }),
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
const MALFORMED_BYTES = ['', ' ', '"\u0001"', '"\n"', '{"a":"\0"}', '\0', '\ufeff', '\ufeff\ufeff{}', '{}\u00a0'];
const MALFORMED_MARKERS = [`{"${MARKER}":`, `"${MARKER}`, MARKER, `{${MARKER}}`];

test('malformed JSON is refused with 400', async () => {
  const texts = [...MALFORMED, ...MALFORMED_BYTES, ...MALFORMED_MARKERS];
  const bodies = Object.fromEntries(texts.map((text) => [JSON.stringify(text), () => text]));
  await assertRefused(app, casesOf(targets, bodies, 400));
});

test('JSON that is not an object, or an empty one, is refused with 400', async () => {
  const values = [null, true, false, 0, NUMBER_MARKER, 1.5, '', MARKER, [], [MARKER], [{}], [[MARKER]], {}];
  const bodies = Object.fromEntries(values.map((value) => [JSON.stringify(value), () => JSON.stringify(value)]));
  await assertRefused(app, casesOf(targets, bodies, 400));
});

type Path = (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isArray = Array.isArray(value);
  const below = Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, isArray ? Number(key) : key]));
  return path.length === 0 ? below : [path, ...below];
}

/** A copy with the value at a path replaced. */
function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const item = replaceAt((value as Record<string, unknown>)[key], rest, replacement);
  return Array.isArray(value) ? value.with(Number(key), item) : { ...(value as object), [key]: item };
}

const SIMPLE = [null, true, 0, -1, 1.5, NUMBER_MARKER, 1e300, '', ' ', MARKER, MARKER.repeat(2_000), undefined];
const LISTS = [[], [MARKER], [null], [[]], [{ [MARKER]: [MARKER] }]];
const OBJECTS = [{}, { [MARKER]: MARKER }, { [MARKER]: NUMBER_MARKER }, { length: 1 }, { a: { b: [{ c: MARKER }] } }];

/** What stands in for every field, on aliases too. */
const KINDS = [
  null,
  true,
  NUMBER_MARKER,
  MARKER,
  [MARKER],
  { [MARKER]: NUMBER_MARKER },
  [[{ a: [MARKER] }]],
  undefined,
];

test('a field of a wrong type is refused, and what the API reference allows never fails', async () => {
  const changes = targets.flatMap((target) =>
    pathsIn(target.sample).flatMap((path) =>
      (target.canonical ? [...SIMPLE, ...LISTS, ...OBJECTS] : KINDS).map((value) => {
        const body = replaceAt(target.sample, path, value);
        const what = `${target.path} ${path.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`;
        return {
          what,
          errorKeys: target.errorKeys,
          fits: target.fits(body),
          send: () => send(target, JSON.stringify(body)),
        };
      }),
    ),
  );
  await assertRefused(
    app,
    changes.filter(({ fits }) => !fits).map((change) => ({ ...change, status: 400 })),
  );
  const faults: string[] = [];
  for (const { what, errorKeys, send: sendIt } of changes.filter(({ fits }) => fits)) {
    const answer = await sendIt();
    if (answer.status !== 200) faults.push(...faultsOf(answer, errorKeys).map((fault) => `${what}: ${fault}`));
  }
  assert.deepEqual(faults, []);
  assertNothingLogged(app);
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
  '65 levels more': withMore(`"x":${'['.repeat(65)}${']'.repeat(65)}`),
  'arrays 1e5 deep': () => '['.repeat(1e5) + ']'.repeat(1e5),
  'objects 1e5 deep': () => `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`,
  '5e5 arrays left open': () => '['.repeat(5e5),
  'a number of a million digits': withLater('9'.repeat(1_000_000)),
  'an infinite number': withLater('1e999'),
  'a later value of another type': withLater(`["${MARKER}"]`),
  'UTF-16': ({ sample }) => Buffer.from(`\ufeff${JSON.stringify(sample)}`, 'utf16le'),
};

test('what could pollute, overflow or not be stored is refused with 400, wherever it stands', async () => {
  await assertRefused(app, casesOf(targets, UNSAFE, 400));
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a body declared as UTF-8 that is not is refused with 400', async () => {
  const invalid = ['ff', 'c3', 'eda080', 'c0af', 'f5808080'].map((hex) => Buffer.from(hex, 'hex'));
  const cases = targets.flatMap((target) =>
    invalid.map((bytes) => {
      const [head = '', tail = ''] = withMore('"x":"HERE"')(target).split('HERE');
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]);
      const type = { 'content-type': 'application/json; charset=utf-8' };
      const what = `${target.path} ${bytes.toString('hex')}`;
      return { what, errorKeys: target.errorKeys, status: 400, send: () => send(target, body, type) };
    }),
  );
  await assertRefused(app, cases);
});

test('a byte order mark, a key that comes twice and names of Object.prototype do no harm', async () => {
  const bodies = {
    'nothing odd': ({ sample }: Target) => JSON.stringify(sample),
    'a mark': ({ sample }: Target) => `\ufeff${JSON.stringify(sample)}`,
    'a key twice': (target: Target) => withLater(JSON.stringify(Object.values(target.sample)[0]))(target),
    'a constructor': withMore('"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":null'),
    '60 levels': withMore(`"x":${'['.repeat(60)}${']'.repeat(60)}`),
  };
  for (const target of canonical) {
    const expected = target.operation === 'setUpUser' ? 404 : 200;
    for (const { what, send: sendIt } of casesOf([target], bodies))
      assert.equal((await sendIt()).status, expected, what);
  }
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('a million keys are refused', async () => {
  const keys = `{${Array.from({ length: 1e6 }, (_, index) => `"k${index}":0`).join()}}`;
  await assertRefused(app, casesOf(canonical, { 'a million keys': () => keys }));
});

test('a content type that is not JSON, an odd charset and a compressed body are refused with 415', async () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'];
  const odd = ['application/jsonx', 'application', '/', MARKER, `application/${MARKER}`];
  const charsets = ['utf-16', 'utf-7', 'ebcdic', MARKER].map((charset) => `application/json; charset=${charset}`);
  const encodings = ['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', MARKER];
  await assertRefused(
    app,
    headerCases(
      [
        ...[...types, ...odd, ...charsets].map((type) => ({ 'content-type': type })),
        ...encodings.map((encoding) => ({ 'content-encoding': encoding })),
      ],
      415,
    ),
  );
});

test('a body over the limit is 413, by its announced length before it comes and as soon as it is too long', async () => {
  await assertRefused(app, casesOf(targets, { announced: ({ limit }) => ({ announced: limit + 1 }) }, 413));
  const piece = Buffer.alloc(MB, ' ');
  const chunked = ({ limit }: Target) => ({
    chunks: [...Array.from({ length: limit / MB }, () => piece), Buffer.from(' ')],
  });
  await assertRefused(app, casesOf(canonical, { chunked }, 413));
  for (const target of canonical) {
    const { status } = await send(target, JSON.stringify(target.sample).padEnd(DEFAULT_BODY_LIMIT));
    assert.notEqual(status, 413, target.path);
  }
});

test('headers are neither repeated nor trusted', async () => {
  const keys = [`Bearer ${MARKER}`, MARKER.repeat(500), `Token token="${MARKER}`].map((authorization) => ({
    authorization,
  }));
  const repeats = [MARKER.repeat(40), ''].map((key) => ({ 'idempotency-key': key }));
  await assertRefused(
    app,
    headerCases([...keys, ...repeats]).filter(({ what }) => !what.startsWith('/app/')),
  );
  const { headers } = await rawRequest(app.url, 'GET', '/v1', { headers: { 'x-request-id': MARKER } });
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
});

const anyJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

/** Random JSON, and the sample with random JSON at one or two random places. */
function anyBodyLike(sample: object): fc.Arbitrary<unknown> {
  const anyValue = fc.oneof(anyJson, fc.string({ unit: 'binary' }), fc.constant(MARKER));
  const changes = fc.array(fc.tuple(fc.constantFrom(...pathsIn(sample)), anyValue), { minLength: 1, maxLength: 2 });
  const changed = changes.map((list) =>
    // The longer path first: a change never looks for a place that another took away.
    list
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce<unknown>((body, [path, value]) => replaceAt(body, path, value), sample),
  );
  return fc.oneof({ weight: 1, arbitrary: anyJson }, { weight: 4, arbitrary: changed });
}

for (const operation of Object.keys(SAMPLES)) {
  test(`random JSON to ${operation} is accepted or refused, and stored only where it is accepted`, async () => {
    const target = canonical.find((each) => each.operation === operation);
    assert.ok(target);
    await withConnection(app.installation.ownerUrl, async (client) => {
      let stored = await countRows(client);
      const property = fc.asyncProperty(anyBodyLike(target.sample), async (body) => {
        const answer = await send(target, JSON.stringify(body));
        const rows = await countRows(client);
        if (answer.status === 200) assert.ok(target.fits(body), 'what is accepted fits the API reference');
        else {
          assert.deepEqual(faultsOf(answer, target.errorKeys), []);
          assert.deepEqual(rows, stored);
        }
        stored = rows;
      });
      await fc.assert(property, { numRuns: 300 });
    });
    assertNothingLogged(app);
  });
}
