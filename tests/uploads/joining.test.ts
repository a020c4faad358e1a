import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createFindPublicForm, type PublicForm } from '../../src/forms/definition/public-forms.ts';
import { joinParts } from '../../src/forms/uploads/tus/join-parts.ts';
import { findUpload } from '../../src/forms/uploads/upload-row.ts';
import { createIncomingBlobs } from '../../src/platform/blob/sealing/incoming-blobs.ts';
import { startSealingThreads } from '../../src/platform/blob/sealing/threads.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { attachmentPath, download, readBack, submitted } from '../submissions/submitting.ts';
import { startApp } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { begun, send, tokenIn } from './uploading.ts';

/** A database that commits, and of which the answer is lost. */
function losing(db: Database): Database {
  let calls = 0;
  return {
    ...db,
    async tenant(customers, work) {
      const done = await db.tenant(customers, work);
      calls += 1;
      if (calls > 1) throw new Error('the answer was lost');
      return done;
    },
  };
}

test('a file that was joined is there, though the answer of the database was lost', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const formId = await addForm(app, customer.id, { form_json: {} });
  const bytes = randomBytes(2_000);
  const place = await begun(app, formId, { length: 3_000 });
  await send(app, place, 0, bytes.subarray(0, 1_000));
  await send(app, place, 1_000, bytes.subarray(1_000));
  await asOwner(app, (client) => client.query('update form_uploads set length = received'));
  const { db, vault, blobs, blobStore, clock, config, log } = app.installation;
  const threads = startSealingThreads({
    blobUrl: config.blobUrl,
    clamd: null,
    log,
    onScanned() {},
    onStoreFailed() {},
  });
  t.after(() => threads.stop());
  const deps = { db: losing(db), vault, blobs, blobStore, beginBlob: createIncomingBlobs({ clock, threads }), clock };
  const form = (await createFindPublicForm({ db, clock })(formId)) as PublicForm;
  const upload = await findUpload({ db, vault, clock }, form, tokenIn(place));
  await assert.rejects(joinParts(deps, upload), { message: 'the answer was lost' });
  const id = await submitted(app, formId, { form_data: {}, attachments: [{ upload: tokenIn(place) }] });
  const [{ id: fileId }] = (await readBack(app, customer, formId, id)).attachments;
  assert.ok((await download(app, customer, attachmentPath(formId, id, fileId))).bytes.equals(bytes));
});
