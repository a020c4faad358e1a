import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobFiles } from '../submissions/submitting.ts';
import { startApp } from '../support/app.ts';
import { CLEAN, FOUND, startClamd } from '../support/clamd.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { ask, begun, counts, offsetOf, send } from './uploading.ts';

test('a file is scanned as a whole, and one that is refused goes with all of its parts', async (t) => {
  const clamd = await startClamd(t);
  const app = await startApp(t, { env: { CAREPOST_CLAMD: clamd.address } });
  const { id } = await app.createCustomer();
  const formId = await addForm(app, id, { form_json: {} });
  clamd.onStream = (socket, stream) => void socket.end(stream.includes('EICAR') ? FOUND : CLEAN);

  const place = await begun(app, formId, { length: 5 });
  assert.equal((await send(app, place, 0, Buffer.from('EIC'))).status, 204);
  const refused = await send(app, place, 3, Buffer.from('AR'));
  assert.equal(refused.status, 422, 'though neither part is a virus');
  assert.equal((await ask(app, place)).status, 404);
  assert.deepEqual(await counts(app), { uploads: 0, parts: 0, blobs: 0 });
  await eventually(async () => blobFiles(app).length === 0);

  const later = await begun(app, formId, { length: 5 });
  await send(app, later, 0, Buffer.from('cle'));
  clamd.onStream = (socket, stream) => void (stream.length === 2 ? socket.end(CLEAN) : socket.destroy());
  assert.equal((await send(app, later, 3, Buffer.from('an'))).status, 503, 'no scanner, no file');
  assert.equal((await ask(app, later)).status, 503);
  clamd.onStream = (socket) => void socket.end(CLEAN);
  assert.equal(await offsetOf(app, later), 5, 'it is made whole once there is one again');
  assert.equal((await counts(app)).parts, 0);
});
