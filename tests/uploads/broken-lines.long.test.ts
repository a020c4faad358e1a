import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { attachmentPath, blobFiles, download, openLine, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { ask, begun, counts, drop, offsetOf, send, statusesOf, tokenIn } from './uploading.ts';

const FILE = randomBytes(600_000);

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

function headOf(place: string, offset: number, length: number): string {
  return `PATCH ${place} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${offset}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Begins to send the rest of a file, of which only some bytes come before the line breaks. */
async function sendSome(place: string, offset: number, bytes: number, how: 'reset' | 'destroy' | 'end') {
  const { socket } = await openLine(app);
  socket.write(headOf(place, offset, FILE.length - offset));
  await new Promise<void>((resolve) => void socket.write(FILE.subarray(offset, offset + bytes), () => resolve()));
  if (how === 'reset') socket.resetAndDestroy();
  else if (how === 'destroy') socket.destroy();
  else socket.end();
}

async function contentOf(on: TestApp, place: string): Promise<Buffer> {
  const id = await submitted(on, formId, { form_data: {}, attachments: [{ upload: tokenIn(place) }] });
  const [{ id: fileId }] = (await readBack(on, customer, formId, id)).attachments;
  return (await download(on, customer, attachmentPath(formId, id, fileId))).bytes;
}

test('wherever the line breaks, what came is kept and the file goes on from there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(200_000), fc.constantFrom('reset' as const, 'destroy' as const, 'end' as const)), {
        minLength: 1,
        maxLength: 3,
      }),
      async (breaks) => {
        const place = await begun(app, formId, { length: FILE.length });
        let offset = 0;
        let most = 0;
        for (const [bytes, how] of breaks) {
          await sendSome(place, offset, bytes, how);
          // A line that broke may be noticed only after the next question.
          most = Math.max(most, offset + bytes);
          const now = await offsetOf(app, place);
          assert.ok(now >= offset && now <= most, 'no more than what came, and never less');
          offset = now;
        }
        for (let reply = null; reply?.status !== 204; ) {
          reply = await send(app, place, offset, FILE.subarray(offset));
          if (reply.status !== 204) offset = await offsetOf(app, place);
        }
        assert.ok((await contentOf(app, place)).equals(FILE));
      },
    ),
    { numRuns: 8 },
  );
  assert.equal((await counts(app)).parts, 0);
});

test('whoever asks how far a file came ends what is still sending it', async () => {
  const place = await begun(app, formId, { length: FILE.length });
  const { socket } = await openLine(app);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const known = blobFiles(app).length;
  socket.write(headOf(place, 0, FILE.length));
  socket.write(FILE.subarray(0, 300_000));
  await eventually(async () => blobFiles(app).length > known);
  const offset = await offsetOf(app, place);
  assert.ok(offset > 0 && offset <= 300_000);
  await ended;
  assert.equal((await send(app, place, offset, FILE.subarray(offset))).status, 204);
  assert.ok((await contentOf(app, place)).equals(FILE));
});

test('of two that send the same bytes at once one is taken, and the other told to ask again', async () => {
  for (let round = 0; round < 4; round += 1) {
    const place = await begun(app, formId, { length: FILE.length });
    const replies = await Promise.all([send(app, place, 0, FILE), send(app, place, 0, FILE)]);
    assert.deepEqual(statusesOf(replies), [204, 409]);
    assert.equal(await offsetOf(app, place), FILE.length);
    await drop(app, place);
  }
});

test('two nodes do not both take the same bytes', async (t) => {
  const other = await startApp(t, { beside: app });
  const place = await begun(app, formId, { length: FILE.length });
  const replies = await Promise.all([send(app, place, 0, FILE), send(other, place, 0, FILE)]);
  assert.deepEqual(statusesOf(replies), [204, 409]);
  assert.ok((await contentOf(other, place)).equals(FILE));
});

test('a file goes on after a restart, and one that only had to be joined becomes whole', async (t) => {
  const first = await startApp(t, { beside: app });
  const place = await begun(first, formId, { length: FILE.length });
  await send(first, place, 0, FILE.subarray(0, 250_000));
  await first.stop();
  const second = await startApp(t, { beside: app });
  assert.equal(await offsetOf(second, place), 250_000);
  assert.equal((await send(second, place, 250_000, FILE.subarray(250_000))).status, 204);
  assert.ok((await contentOf(second, place)).equals(FILE));
  const whole = await begun(second, formId, { length: FILE.length });
  await send(second, whole, 0, FILE.subarray(0, 1_000));
  await send(second, whole, 1_000, FILE.subarray(1_000, 2_000));
  await asOwner(app, (client) =>
    client.query('update form_uploads set length = received where blob_id is null and received = 2000'),
  );
  const asked = await Promise.all([offsetOf(second, whole), offsetOf(app, whole)]);
  assert.deepEqual(asked, [2_000, 2_000]);
  assert.ok((await contentOf(second, whole)).equals(FILE.subarray(0, 2_000)));
});

test('a full disk is said before the bytes come, and they are taken once there is room', async (t) => {
  let free = 10 ** 12;
  const small = await startApp(t, { beside: app, overrides: { freeBytes: async () => free } });
  const place = await begun(small, formId, { length: 5 });
  free = 0;
  await eventually(async () => (await send(small, place, 0, Buffer.from('a'))).status === 503);
  free = 10 ** 12;
  await eventually(async () => (await ask(small, place)).status === 200);
});
