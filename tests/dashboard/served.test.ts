import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BUILT, loadWeb, type Web } from '../../src/dashboard/web/built.ts';
import { startApp, type TestApp } from '../support/app.ts';

const MOST_FIRST_LOAD = 250 * 1024;

let app: TestApp;
let web: Web;
before(async (t) => {
  web = await loadWeb();
  app = await startApp(t as TestContext);
});

test('every address under /app that is no file and no operation is the dashboard, under a strict policy', async () => {
  for (const path of ['/app', '/app/', '/app/setup', '/app/email/messages', '/app/forms/some-id/edit']) {
    const { status, headers, text } = await app.request('GET', path);
    assert.equal(status, 200, path);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((each) => {
        const [name = '', ...sources] = each.split(' ');
        return [name, sources.join(' ')] as const;
      }),
    );
    assert.equal(policy.get('default-src'), "'none'");
    assert.equal(policy.get('script-src'), "'self'");
    assert.match(policy.get('style-src') ?? '', /^'self' 'nonce-[\w+/=]{24}'$/);
    assert.equal(policy.get('frame-ancestors'), "'none'");
    assert.equal(policy.get('base-uri'), "'none'");
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//, 'nothing from elsewhere');
    assert.doesNotMatch(text, /CAREPOST_NONCE/);
  }
  const root = await fetch(`${app.url}/`, { redirect: 'manual' });
  assert.equal(root.headers.get('location'), '/app');
});

test('each page has a nonce of its own', async () => {
  const nonces = await Promise.all(
    Array.from({ length: 5 }, async () => (await app.request('GET', '/app')).headers.get('content-security-policy')),
  );
  assert.equal(new Set(nonces).size, 5);
});

test('unknown files and operations are not answered with the dashboard', async () => {
  for (const path of ['/app/-/nothing.js', '/app/-/..%2f..%2fpackage.json', '/app/api/nothing', '/app/api']) {
    const { status, headers } = await app.request('GET', path);
    assert.ok(status === 404 || path === '/app/api', `${path} ${status}`);
    assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
  }
});

test('files are sent compressed and kept for good, since their names change with them', async () => {
  const name = [...web.files.keys()].find((each) => each.endsWith('.js')) as string;
  const reply = await fetch(`${app.url}/app/-/${name}`, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(reply.headers.get('content-encoding'), 'gzip');
  assert.match(reply.headers.get('cache-control') ?? '', /immutable/);
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), readFileSync(join(BUILT, name)));
  const asset = web.files.get(name);
  assert.deepEqual(gunzipSync(asset?.gzip ?? Buffer.alloc(0)), asset?.plain);
});

test('what the first page loads is under 250 KB of compressed script, and rooms come by themselves', () => {
  const entry = /src="\/app\/-\/([^"]+\.js)"/.exec(web.page)?.[1] as string;
  const loaded = new Set<string>();
  const follow = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    const code = web.files.get(name)?.plain.toString() ?? '';
    for (const [, next = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) follow(next);
  };
  follow(entry);
  // The layout and the home page come with the first address that anybody opens.
  const first = [...web.files.keys()].filter((name) => /^(layout|page-home|home)/.test(name));
  for (const name of first) follow(name);
  const bytes = [...loaded].reduce((sum, name) => sum + (web.files.get(name)?.gzip.length ?? 0), 0);
  assert.ok(bytes > 50 * 1024, 'something was counted');
  assert.ok(bytes < MOST_FIRST_LOAD, `${bytes} bytes`);
  const scripts = [...web.files.keys()].filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > loaded.size + 10, `${scripts.length} scripts, ${loaded.size} at first`);
});

test('the document for foreign HTML is of no origin and runs nothing that is written into it', async () => {
  for (const [path, scripts] of [
    ['/app/frame', /^script-src 'sha256-[\w+/=]+'$/],
    ['/app/frame/live', /^script-src 'sha256-[\w+/=]+' 'self'$/],
  ] as const) {
    const { headers } = await app.request('GET', path);
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    assert.ok(policy.includes('sandbox allow-scripts'));
    assert.ok(policy.includes("frame-ancestors 'self'"));
    assert.ok(policy.includes("form-action 'none'"));
    assert.ok(policy.some((each) => scripts.test(each)));
    assert.ok(!policy.some((each) => each.startsWith('connect-src')), 'nothing can be called');
  }
});
