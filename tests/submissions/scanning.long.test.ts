import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { AppError } from '../../src/platform/errors.ts';
import { createScanner } from '../../src/platform/net/clamd.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { CLEAN, type Clamd, FOUND, startClamd } from '../support/clamd.ts';
import { addForm } from '../support/forms.ts';
import { attachmentPath, base64, download, idOf, leavingNothing, readBack, submit } from './submitting.ts';

let app: TestApp;
let clamd: Clamd;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  clamd = await startClamd(t as TestContext);
  app = await startApp(t as TestContext, { env: { CAREPOST_CLAMD: clamd.address } });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

/** A scanner that behaves otherwise for as long as something is done. */
async function behaving<T>(how: Partial<Pick<Clamd, 'onConnect' | 'onStream'>>, work: () => Promise<T>): Promise<T> {
  const { onConnect, onStream } = clamd;
  Object.assign(clamd, how);
  try {
    return await work();
  } finally {
    Object.assign(clamd, { onConnect, onStream });
  }
}

const bodyWith = (...files: (string | Buffer)[]) => ({
  form_data: {},
  attachments: files.map((bytes, at) => ({ name: `${at}.bin`, content: base64(bytes) })),
});

test('a clean file is taken, and the scanner has seen every byte of it', async () => {
  const bytes = randomBytes(3_000_000);
  clamd.streams.length = 0;
  const reply = await submit(app, formId, bodyWith(bytes, 'small', ''));
  assert.equal(reply.status, 201, reply.text);
  assert.equal(clamd.streams.length, 3);
  assert.ok(clamd.streams.some((stream) => stream.equals(bytes)));
  assert.ok(clamd.streams.some((stream) => stream.toString() === 'small'));
  const { attachments } = await readBack(app, customer, formId, idOf(reply));
  const back = await download(app, customer, attachmentPath(formId, idOf(reply), attachments[0].id));
  assert.ok(back.bytes.equals(bytes));
});

test('parts of a form are scanned as well, and a submission without files needs no scanner', async () => {
  clamd.streams.length = 0;
  const form = new FormData();
  form.append('f', new Blob(['in a part']), 'a.txt');
  const reply = await fetch(`${app.url}/api/forms/${formId}/submissions`, { method: 'POST', body: form });
  assert.equal(reply.status, 201);
  assert.deepEqual(clamd.streams.map(String), ['in a part']);
  await behaving({ onConnect: (socket) => socket.destroy() }, async () => {
    assert.equal((await submit(app, formId, { form_data: {} })).status, 201);
  });
});

const findEicar: Clamd['onStream'] = (socket, stream) => void socket.end(stream.includes('EICAR') ? FOUND : CLEAN);

test('a file in which something is found is refused with all that came with it', async () => {
  await behaving({ onStream: findEicar }, async () => {
    for (const files of [
      ['EICAR'],
      ['fine', 'EICAR', 'fine'],
      [Buffer.concat([randomBytes(700_000), Buffer.from('EICAR')])],
    ]) {
      const reply = await leavingNothing(app, () => submit(app, formId, bodyWith(...files)));
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.body.errors[0].code, 422);
      assert.ok(!reply.text.includes('EICAR'), 'the name of what was found is not for strangers');
    }
    assert.equal((await submit(app, formId, bodyWith('fine'))).status, 201);
  });
});

const TROUBLES: Record<string, Partial<Pick<Clamd, 'onConnect' | 'onStream'>>> = {
  'closes at once': { onConnect: (socket) => void socket.destroy() },
  'resets at once': { onConnect: (socket) => void socket.resetAndDestroy() },
  'closes without a verdict': { onStream: (socket) => void socket.end() },
  'resets instead of a verdict': { onStream: (socket) => void socket.resetAndDestroy() },
  'says half a verdict': { onStream: (socket) => void socket.end('stream: OK') },
  'talks nonsense': { onStream: (socket) => void socket.end('OKOK\0') },
  'says nothing in many words': { onStream: (socket) => void socket.end('x'.repeat(10_000)) },
  'has an error': { onStream: (socket) => void socket.end('INSTREAM size limit exceeded. ERROR\0') },
  'answers before it has heard': { onConnect: (socket) => void socket.end('INSTREAM size limit exceeded. ERROR\0') },
  'answers an empty line': { onStream: (socket) => void socket.end('\0') },
};

for (const [what, how] of Object.entries(TROUBLES)) {
  test(`where the scanner ${what}, no file is taken and the client is told to come again`, async () => {
    await behaving(how, async () => {
      for (const file of ['small', randomBytes(900_000)]) {
        const reply = await leavingNothing(app, () => submit(app, formId, bodyWith(file)));
        assert.equal(reply.status, 503, reply.text);
        assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
      }
    });
    assert.equal((await submit(app, formId, bodyWith('again'))).status, 201);
  });
}

test('a scanner is found by a socket path too, and nothing is taken while it is away', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-clamd-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'clamd.sock');
  const node = await startApp(t, { env: { CAREPOST_CLAMD: path } });
  const { id } = await node.createCustomer();
  const form = await addForm(node, id);
  const away = await leavingNothing(node, () => submit(node, form, bodyWith('x')));
  assert.equal(away.status, 503);
  assert.match(away.headers.get('retry-after') ?? '', /^\d+$/);
  const scanner = await startClamd(t, path);
  assert.equal((await submit(node, form, bodyWith('x'))).status, 201);
  assert.deepEqual(scanner.streams.map(String), ['x']);
  scanner.onStream = (socket) => void socket.end(FOUND);
  assert.equal((await leavingNothing(node, () => submit(node, form, bodyWith('x')))).status, 422);
  await scanner.stop();
  assert.equal((await leavingNothing(node, () => submit(node, form, bodyWith('x')))).status, 503);
});

const unavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

test('a scanner that says all is well before it has heard all did not scan', async () => {
  await behaving({ onConnect: (socket) => void socket.write(CLEAN) }, async () => {
    const hasty = createScanner(clamd.address);
    await hasty.write(Buffer.from('bytes'));
    // What came on the first line has been read by the time that a second one was opened and answered.
    await createScanner(clamd.address).verdict();
    await assert.rejects(hasty.verdict(), unavailable);
  });
});

test('a scanner that falls silent counts as one that did not scan', async () => {
  await behaving({ onStream() {} }, async () => {
    const scanner = createScanner(clamd.address, 50);
    await scanner.write(Buffer.from('bytes'));
    await assert.rejects(scanner.verdict(), unavailable);
  });
});
