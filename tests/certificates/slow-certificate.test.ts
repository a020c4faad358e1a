import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { checkCertificate } from '../../src/forms/index.ts';
import { SUBMIT } from '../page/visitor.ts';
import { addToBeSigned, goIn, signingLink, typed } from '../signing/signing.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { certificateOf } from './certify.ts';

test('a certificate that somebody signs during its making has their signature as well', async (t) => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  // An authority for time that keeps everybody waiting, and refuses in the end.
  const authority = createServer((_request, reply) => {
    reached.resolve();
    void released.promise.then(() => reply.writeHead(503).end());
  });
  await new Promise<void>((resolve) => void authority.listen(0, '127.0.0.1', resolve));
  t.after(() => authority.close());
  const app = await startApp(t, {
    clock: createMovableClock(),
    env: { CAREPOST_TSA_URL: `http://127.0.0.1:${(authority.address() as AddressInfo).port}/` },
  });
  const customer = await app.createCustomer();
  const wanted = await addToBeSigned(app, customer);
  const { formId, id } = wanted;
  const signed = { customer, formId, id, path: `/v1/forms/api/forms/${formId}/submissions/${id}/certificate` };
  const page = await goIn(app, customer, await signingLink(app, customer, wanted.guardian), wanted.guardian);
  const slow = certificateOf(app, signed);
  await reached.promise;
  await page.press(SUBMIT, typed('Gus Secretly'));
  released.resolve();
  const file = await slow;
  const { record } = await checkCertificate(file, null);
  assert.deepEqual(
    record.signatures.map(({ role }) => role),
    ['signer', 'guardian'],
  );
  assert.ok((await certificateOf(app, signed)).equals(file));
});
