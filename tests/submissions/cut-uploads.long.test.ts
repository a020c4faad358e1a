import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { createPace } from '../../src/platform/http/limits/pace.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { base64, blobFiles, idOf, leavingNothing, openLine, readBack, submit } from './submitting.ts';

const BORDER = 'a-border';
const FILE = randomBytes(1_000_000);

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

const json = Buffer.from(
  JSON.stringify({
    attachments: [
      { name: 'first.txt', content: base64('first') },
      { name: 'a.bin', content: base64(FILE) },
    ],
    form_data: { a: 'x'.repeat(5_000) },
  }),
);
const parts = Buffer.concat([
  Buffer.from(`--${BORDER}\r\nContent-Disposition: form-data; name="f"; filename="first.txt"\r\n\r\nfirst\r\n`),
  Buffer.from(`--${BORDER}\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n`),
  FILE,
  Buffer.from(`\r\n--${BORDER}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(5_000)}\r\n`),
  Buffer.from(`--${BORDER}--\r\n`),
]);
const UPLOADS = {
  JSON: { type: 'application/json', body: json },
  multipart: { type: `multipart/form-data; boundary=${BORDER}`, body: parts },
};

function headOf(type: string, length: number | null, form = formId): string {
  const size = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST /v1/forms/api/forms/${form}/submissions HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`;
}

/** Sends the first bytes of a request, and then breaks off. */
async function sendPart(request: Buffer, length: number, how: 'reset' | 'end' | 'destroy'): Promise<string> {
  const { socket, answer } = await openLine(app);
  await new Promise<void>((resolve) => void socket.write(request.subarray(0, length), () => resolve()));
  if (how === 'reset') socket.resetAndDestroy();
  else if (how === 'end') socket.end();
  else socket.destroy();
  return answer;
}

for (const [name, { type, body }] of Object.entries(UPLOADS)) {
  test(`an upload as ${name} that breaks off anywhere leaves nothing, and the server goes on`, async () => {
    const head = Buffer.from(headOf(type, body.length));
    const chunked = Buffer.concat([
      Buffer.from(`${headOf(type, null)}${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const whole = Buffer.concat([head, body]);
    await leavingNothing(app, () =>
      fc.assert(
        fc.asyncProperty(
          fc.nat(999_999).map((millionths) => millionths / 1_000_000),
          fc.constantFrom('reset', 'end', 'destroy'),
          fc.boolean(),
          async (place, how, inChunks) => {
            const request = inChunks ? chunked : whole;
            const line = await sendPart(request, Math.floor(request.length * place), how);
            assert.doesNotMatch(line, /^HTTP\/1\.1 (?:2|5)/);
          },
        ),
        {
          numRuns: 25,
          examples: [
            [0.999_999, 'end', false],
            [0.999_999, 'end', true],
          ],
        },
      ),
    );
    const headers = { 'content-type': type };
    const reply = await app.request('POST', `/v1/forms/api/forms/${formId}/submissions`, { headers, raw: body });
    assert.equal(reply.status, 201);
    assert.equal((await readBack(app, customer, formId, idOf(reply))).attachments[1].size, FILE.length);
  });
}

test('uploads that break off at once do not take a thread or a buffer from those that go on', async () => {
  const whole = Buffer.concat([Buffer.from(headOf('application/json', json.length)), json]);
  await leavingNothing(app, () =>
    Promise.all(Array.from({ length: 30 }, (_, at) => sendPart(whole, 400_000 + at * 1_000, 'destroy'))),
  );
  assert.equal((await submit(app, formId, { form_data: {} })).status, 201);
});

test('a client that is refused half way can read why, though it goes on sending', async () => {
  const { socket, answer } = await openLine(app);
  const wrong = `{"form_data":{},"attachments":[{"name":"a","content":"***${'A'.repeat(2_000_000)}"}]}`;
  await leavingNothing(app, async () => {
    socket.write(`${headOf('application/json', wrong.length)}${wrong}`);
    assert.match(await answer, /^HTTP\/1\.1 400 /);
  });
  socket.destroy();
});

/** A request as the pace sees it. */
function fakeRequest(headers: Record<string, string>) {
  return Object.assign(new EventEmitter(), { headers, socket: { bytesRead: 1_000 } });
}

test('the pace gives up what brings less than 500 bytes a second over half a minute, and nothing else', () => {
  const given: unknown[] = [];
  const hands = createMovableClock();
  const pace = createPace(hands, (request) => given.push(request));
  const watch = (headers: Record<string, string>) => {
    const request = fakeRequest(headers);
    pace.watch(request as unknown as IncomingMessage);
    return request;
  };
  const slow = watch({ 'content-length': '100000' });
  const chunked = watch({ 'transfer-encoding': 'chunked' });
  const fast = watch({ 'content-length': '100000000' });
  const ended = watch({ 'content-length': '10' });
  const closed = watch({ 'content-length': '10' });
  watch({});
  watch({ 'content-length': '0' });
  ended.emit('end');
  closed.emit('close');
  pace.look();
  hands.advance(29_999);
  pace.look();
  assert.deepEqual(given, [], 'nothing within the first half minute');
  hands.advance(1);
  slow.socket.bytesRead += 14_999;
  fast.socket.bytesRead += 15_000;
  pace.look();
  assert.deepEqual(given, [slow, chunked], 'and no request without a body');
  given.length = 0;
  slow.emit('close');
  chunked.emit('close');
  hands.advance(30_000);
  fast.socket.bytesRead += 15_000;
  pace.look();
  assert.deepEqual(given, [], 'each half minute counts by itself');
  hands.advance(60_000);
  fast.socket.bytesRead += 29_999;
  pace.look();
  assert.deepEqual(given, [fast], 'and so does a minute between two looks');
});

test('a body that trickles is ended with 408, and what had come of it leaves', async () => {
  await leavingNothing(app, async () => {
    const known = blobFiles(app).length;
    const { socket, answer } = await openLine(app);
    socket.write(headOf('application/json', json.length));
    socket.write(json.subarray(0, 300));
    // Its first file has been begun, so the request is being watched.
    await eventually(async () => blobFiles(app).length > known);
    clock.advance(31_000);
    assert.equal(await answer, 'HTTP/1.1 408 The request took too long');
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  });
  assert.equal((await submit(app, formId, { form_data: {} })).status, 201);
});
