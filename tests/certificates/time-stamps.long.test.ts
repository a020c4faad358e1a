import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOf } from '../../src/forms/certificate/check/bytes.ts';
import { readSealedPdf } from '../../src/forms/certificate/check/pdf-signature.ts';
import { readSignedData, writeSignedData } from '../../src/forms/certificate/check/signed-data.ts';
import { createStampTime } from '../../src/forms/certificate/time-stamps.ts';
import { CertificateBroken, checkCertificate } from '../../src/forms/index.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addSigned, certificateOf } from './certify.ts';
import { startTimeAuthority } from './time-authority.ts';

test('an authority stamps the seal with the time, and every byte of the stamp counts', async (t) => {
  const authority = await startTimeAuthority(t);
  const app = await startApp(t, { env: { CAREPOST_TSA_URL: authority.url } });
  const file = await certificateOf(app, await addSigned(app));
  const { record, timeStamp } = await checkCertificate(file, null);
  assert.equal(authority.asked, 2, 'the first stamp shows by whom it is, and the record names them');
  assert.deepEqual([record.time_stamp, timeStamp?.by], ['present', 'Time of the tests']);
  assert.ok(Math.abs(Date.now() - (timeStamp?.at.getTime() ?? 0)) < 3_600_000);

  const { signature } = readSealedPdf(file);
  const data = readSignedData(signature);
  assert.equal(readSignedData(data.timeStamp as Uint8Array).certificates.length, 2);
  const space = file.indexOf('<', file.lastIndexOf('/Contents')) + 1;
  for (let at = space; at < space + 2 * signature.length; at += 5) {
    const flipped = Buffer.from(file);
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
    await assert.rejects(checkCertificate(flipped, null), CertificateBroken, `byte ${at}`);
  }

  const bare = writeSignedData({ ...data, timeStamp: null });
  const without = Buffer.from(file);
  without.fill('0', space, space + 2 * signature.length).write(Buffer.from(bare).toString('hex').toUpperCase(), space);
  await assert.rejects(checkCertificate(without, null), /time stamp that belongs to it is missing/);
  const { time_stamp: again } = (await checkCertificate(await certificateOf(app, await addSigned(app)), null)).record;
  assert.deepEqual([again, authority.asked], ['present', 3], 'who is known is asked once');
});

test('neither a stamp by somebody else nor one of another time is taken', async (t) => {
  const authority = await startTimeAuthority(t);
  const env = { CAREPOST_TSA_URL: authority.url };
  const clock = createMovableClock();
  const app = await startApp(t, { env, clock });
  const file = await certificateOf(app, await addSigned(app));
  const { record } = await checkCertificate(file, null);
  assert.equal(record.time_stamp, 'present');

  const { signature } = readSealedPdf(file);
  const data = readSignedData(signature);
  const stranger = await startTimeAuthority(t);
  const stampTime = createStampTime({ url: stranger.url, resolve: async () => [] });
  assert.ok(stampTime);
  const token = await stampTime(await hashOf('SHA-256', data.signature));
  const swapped = writeSignedData({ ...data, timeStamp: new Uint8Array(token) });
  const space = file.indexOf('<', file.lastIndexOf('/Contents')) + 1;
  const changed = Buffer.from(file);
  changed.fill('0', space, changed.indexOf('>', space));
  changed.write(Buffer.from(swapped).toString('hex').toUpperCase(), space);
  await assert.rejects(checkCertificate(changed, record.sealed_by), /another authority than the record names/);

  clock.advance(6 * 60_000);
  const late = await checkCertificate(await certificateOf(app, await addSigned(app)), null);
  assert.equal(late.record.time_stamp, 'away', 'what says another time is of no use');
});

test('an authority that is away, refuses or talks nonsense does not keep a certificate back', async (t) => {
  const authority = await startTimeAuthority(t);
  const app = await startApp(t, { env: { CAREPOST_TSA_URL: authority.url } });
  const customer = await app.createCustomer();
  for (const how of ['refuse', Buffer.from('30030201', 'hex'), Buffer.alloc(70_000)] as const) {
    authority.answers(how);
    const signed = await addSigned(app, customer);
    const { record, timeStamp } = await checkCertificate(await certificateOf(app, signed), null);
    assert.deepEqual([record.time_stamp, timeStamp], ['away', null]);
  }
  assert.equal(authority.asked, 3);
});
