import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { findEndpoints } from '../support/endpoints.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

/** What anybody may call; every other operation names the scope that it asks for. */
const PUBLIC_OPERATIONS = `setUpUser signIn readSession forgetPassword resetPassword
  readPublicForm readPublicFormSchema submitForm`.split(/\s+/);

/** Addresses for people and machines that are no operations of the API. */
const PAGES = [
  ...['/', '/app', '/app*', '/app/frame', '/app/frame/live', '/app/-/:file', '/healthz', '/readyz', '/metrics'].flatMap(
    (path) => [`GET ${path}`, `HEAD ${path}`],
  ),
  ...['/docs', '/docs/js/scalar.js', '/openapi.json', '/embed.js'].map((path) => `GET ${path}`),
];

/** Where the links in mails lead, the page where messages are picked up, and where others send their TLS reports. */
const TRACKING = [
  ...['GET', 'HEAD', 'POST'].map((method) => `${method} /t/:token`),
  ...['GET', 'HEAD'].map((method) => `${method} /pickup/:token`),
  ...['code', 'open', 'reply'].map((act) => `POST /pickup/:token/${act}`),
  'GET /pickup/:token/replied',
  'GET /pickup/:token/files/:place',
  'POST /tlsrpt',
  ...['GET', 'HEAD'].map((method) => `${method} /verify`),
];

/** The pages of forms: read and sent step by step, by a name or a link, with their script. */
const FORM_PAGES = [
  ...['GET', 'HEAD', 'POST'].flatMap((method) => [`${method} /f/:address`, `${method} /f/:address/l/:token`]),
  ...['GET', 'HEAD'].map((method) => `${method} /f/:address/done`),
  ...['drafts/mail', 'drafts/open', 'resume/:draft/code', 'resume/:draft/open'].map((act) => `POST /f/:address/${act}`),
  ...['GET', 'HEAD'].map((method) => `${method} /f/:address/resume/:draft`),
  'POST /f/:address/files',
  ...['HEAD', 'PATCH', 'DELETE', 'POST'].map((method) => `${method} /f/:address/files/:token`),
  'GET /f/:address/challenge',
  ...['GET', 'HEAD'].map((method) => `${method} /s/:token`),
  ...['code', 'open', 'sign', 'files/:file'].map((act) => `POST /s/:token/${act}`),
  'GET /f/-/:file',
];

/** The scopes of which any opens an area. */
const SCOPES: Record<string, string[]> = { webhooks: ['email', 'forms', 'marketing'], dashboard: ['session'] };

interface Media {
  content?: Record<string, { schema?: Record<string, unknown> }>;
}

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media & { description: string }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { type: string }> };
}

async function readDocument(): Promise<Document> {
  const { status, body } = await app.request('GET', '/openapi.json');
  assert.equal(status, 200);
  return body;
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The routes that the server really has, as `METHOD /path/:parameter`, read from the picture it draws of them. */
async function findRoutes(): Promise<string[]> {
  const { server, stop } = await createApp(app.installation);
  await server.ready();
  const picture = server.printRoutes({ commonPrefix: false });
  await stop();
  const parts: string[] = [];
  return picture.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^(.*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    parts.splice(depth, parts.length, part);
    return methods.split(', ').map((method) => `${method} ${parts.join('')}`);
  });
}

type Kind = 'operation' | 'page' | 'status of an area' | 'nothing';

/** What stands at a route; where another method is meant, the reply says which. */
async function kindOf(route: string): Promise<Kind> {
  if ([PAGES, TRACKING, FORM_PAGES].some((pages) => pages.includes(route))) return 'page';
  const [method = '', path = ''] = route.split(' ');
  if (method === 'OPTIONS') return 'nothing'; // asked by browsers before they call
  const reply = await app.request(method, path.replace(/:\w+/g, 'x').replace('*', '/x'));
  if (reply.headers.has('allow') || reply.status === 501) return 'nothing';
  if (reply.status === 200 && reply.body?.service?.startsWith('carepost ')) return 'status of an area';
  return 'operation';
}

const withoutIds = (route: string) => route.replace(/:\w+|[0-9a-f]{8}-[0-9a-f-]{27}/g, ':');

test('/openapi.json is an OpenAPI 3.1 document', async () => {
  const document = await readDocument();
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.ok(document.info.title.length > 0 && document.info.version.length > 0);
  const operations = operationsOf(document);
  assert.ok(operations.length > 0);
  for (const { path, method, operation } of operations) {
    assert.match(path, /^\/[^?#]*[^/]$/);
    assert.match(method, /^(get|put|post|delete|patch)$/);
    const { parameters = [], requestBody, responses } = operation;
    for (const parameter of parameters) {
      assert.match(parameter.in, /^(query|header|path|cookie)$/);
      assert.equal(typeof parameter.schema, 'object', `${path} ${parameter.name}`);
    }
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    assert.equal(new Set(names).size, names.length);
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }) => name).toSorted(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).toSorted(),
    );
    for (const parameter of inPath) assert.equal(parameter.required, true);
    if (requestBody !== undefined) {
      const bodies = Object.values(requestBody.content ?? {});
      assert.ok(bodies.length === 1 && bodies[0]?.schema !== undefined, path);
    }
    assert.ok(Object.keys(responses).every((status) => /^([1-5]\d\d|[1-5]XX|default)$/.test(status)));
    assert.ok(Object.values(responses).every(({ description }) => typeof description === 'string'));
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test('every operation is described: summary, area, who may call it, and its replies', async () => {
  const document = await readDocument();
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { operation } of operationsOf(document)) {
    const { operationId, summary, tags, security = [], responses } = operation;
    assert.match(summary ?? '', /\w/, operationId);
    assert.equal(tags?.length, 1, operationId);
    const scopes = security.flatMap((each) => Object.keys(each));
    if (PUBLIC_OPERATIONS.includes(operationId)) assert.deepEqual(scopes, [], operationId);
    else assert.deepEqual(scopes, SCOPES[tags?.[0] ?? ''] ?? tags, `${operationId} asks for the scope of its area`);
    assert.ok(scopes.every((scope) => schemes.includes(scope)));
    const refusal = responses['4XX']?.content?.['application/json']?.schema;
    assert.equal(refusal?.type, 'object', `${operationId} describes its refusals`);
    const [success = '', ...others] = Object.keys(responses).filter((status) => status.startsWith('2'));
    assert.deepEqual(others, [], `${operationId} succeeds in one way`);
    const media = Object.keys(responses[success]?.content ?? {});
    const isEmpty = success === '204' || operationId === 'submitForm';
    if (isEmpty || !media.includes('application/json')) {
      assert.equal(media.length, isEmpty ? 0 : 1, `${operationId} describes its reply ${success}`);
      continue;
    }
    const type = responses[success]?.content?.['application/json']?.schema?.type;
    assert.ok(type === 'object' || type === 'array', `${operationId} describes its reply ${success}`);
  }
});

test('what the document says of keys is true: without one, only public operations answer', async () => {
  const endpoints = await findEndpoints(app, await app.createCustomer());
  for (const { operation, method, path } of endpoints) {
    const { status } = await app.request(method, path);
    assert.equal(status === 401, !PUBLIC_OPERATIONS.includes(operation), `${method} ${path}: ${status}`);
  }
});

test('the server has the operations of the document on the bases of their areas, and no others', async () => {
  const endpoints = await findEndpoints(app, { ...(await app.createCustomer()), username: ':username' });
  const operations: string[] = [];
  const routes = await findRoutes();
  for (const route of routes) if ((await kindOf(route)) === 'operation') operations.push(withoutIds(route));
  const documented = endpoints.map(({ method, path }) => withoutIds(`${method} ${path}`));
  assert.deepEqual(operations.toSorted(), documented.toSorted());
  assert.deepEqual(
    [...PAGES, ...TRACKING, ...FORM_PAGES].filter((page) => !routes.includes(page)),
    [],
    'every page listed here is there',
  );
});

/** What holds nothing of anybody. */
const CACHED = new Map([['GET /embed.js', 'public, max-age=3600']]);

test('no reply may be kept by a cache, guessed at by a browser or named to other sites', async () => {
  const { key, ...customer } = await app.createCustomer();
  const endpoints = await findEndpoints(app, { key, ...customer });
  const pages = [...PAGES, ...TRACKING, ...FORM_PAGES].map((page) => page.split(' ') as [string, string]);
  for (const [method, path] of [...endpoints.map((each) => [each.method, each.path] as const), ...pages]) {
    for (const options of [{}, { key }]) {
      const { headers } = await app.request(method, path, options);
      const kept = CACHED.get(`${method} ${path}`) ?? 'no-store';
      assert.equal(headers.get('cache-control'), kept, `${method} ${path}`);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', `${method} ${path}`);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, `${method} ${path}`);
      assert.match(policy, /base-uri 'none'/, `${method} ${path}`);
      assert.match(policy, /frame-ancestors '(none|self)'/, `${method} ${path}`);
    }
  }
});

test('/docs is a page that loads nothing from elsewhere', async () => {
  const page = await app.request('GET', '/docs');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html\b/);
  assert.doesNotMatch(page.text, /https?:\/\//i);
  assert.doesNotMatch(page.text, /(src|href|url|action)\s*[=(:]\s*["']?\/\//i);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /connect-src 'self'/);
  assert.doesNotMatch(policy, /https?:|\*/);
  const scripts = [...page.text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src as string);
  assert.equal(scripts.length, 1);
  const { url } = await fetch(`${app.url}/docs`);
  for (const src of scripts) {
    const script = await app.request('GET', new URL(src, url).pathname);
    assert.equal(script.status, 200);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
  }
  assert.match(page.text, /"url": "\/openapi\.json"/);
});
