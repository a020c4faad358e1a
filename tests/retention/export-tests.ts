import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSigningKey } from '../../src/accounts/index.ts';
import { exportCustomer } from '../../src/operations/export-customer/index.ts';
import { RECORDS } from '../../src/operations/records.ts';
import type { TestApp } from '../support/app.ts';
import type { MovableClock } from '../support/clock.ts';
import { asOwner, type Owner } from '../support/owner.ts';

export interface Exported {
  app: TestApp;
  owner: Owner;
  other: Owner;
  clock: MovableClock;
  /** An empty folder. */
  folder: string;
}

const files = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .toSorted();
/** Tests what leaves with a customer, of two that have something everywhere. */
export function testExport(setting: () => Exported): void {
  let app: TestApp;
  let owner: Owner;
  let other: Owner;
  let clock: MovableClock;
  let folder: string;
  async function exportTo(path: string, blobs = app.installation.blobs) {
    const signingKey = await loadSigningKey(app.installation);
    const { publicUrl } = app.installation.config;
    return exportCustomer(
      { ...app.installation, blobs, publicUrl, signingKey },
      app.act(owner.id, 'customer.exported'),
      path,
    );
  }

  const text = (name: string) => readFileSync(join(folder, 'whole', name), 'utf8');
  const rows = (name: string) =>
    text(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('every table of the customer is there row by row, or named with the reason why not', async () => {
    ({ app, owner, other, clock, folder } = setting());
    const prefilled = { count: 1, answers: { secretary: owner.mark } };
    await app.request('POST', `/api/forms/${owner.formIds[0]}/links`, { key: owner.key, body: prefilled });
    await exportTo(join(folder, 'whole'));
    for (const { table, area, notExported } of RECORDS) {
      assert.equal(existsSync(join(folder, 'whole', area, `${table}.jsonl`)), notExported === undefined, table);
      if (notExported !== undefined) {
        assert.match(text('README.html'), new RegExp(table));
        continue;
      }
      if (/^audit_|^(customer|key)_destructions$/.test(table)) continue;
      const { rows: counted } = await asOwner(app, (client) =>
        client.query(`select count(*)::int as n from ${table} where customer_id = $1`, [owner.id]),
      );
      const written = text(`${area}/${table}.jsonl`).split('\n').length - 1;
      assert.ok(Math.abs(written - counted[0].n) <= 1 && written > 0, `${table}: ${written} of ${counted[0].n}`);
    }
  });

  test('answers, files, messages and people are readable, and secrets are not there', async () => {
    const at = `forms/submissions/${owner.formIds[0]}`;
    const [submission] = rows(`${at}/submissions.jsonl`);
    assert.ok(submission.form_data.includes(owner.mark));
    assert.ok(text(`${at}/submissions.csv`).includes(owner.mark));
    assert.ok(JSON.stringify(rows(`${at}/submissions.jsonl`)).includes('"notes":[{'));
    const [file] = files(join(folder, 'whole', at, 'files')).filter((name) => !name.endsWith('certificate.pdf'));
    assert.ok(file !== undefined);
    const message = rows('email/messages.jsonl').find(({ id }) => id === owner.messageId);
    assert.ok(JSON.stringify(message.envelope.recipients).includes(owner.recipient));
    const contents = rows('email/message_contents.jsonl').map(({ sealed }) => JSON.stringify(sealed));
    assert.ok(contents.some((content) => content.includes(owner.mark)));
    for (const { sealed } of rows('email/webhook_endpoints.jsonl'))
      assert.deepEqual(Object.keys(sealed), ['targetUrl', 'writtenUrl']);
    assert.ok(rows('forms/form_links.jsonl').some(({ answers }) => answers?.secretary === owner.mark));
    assert.ok(rows('marketing/subscribers.jsonl').some(({ email }) => email?.includes(owner.mark)));
    assert.ok(rows('accounts/audit_log.jsonl').length > 10);
    const pdf = files(join(folder, 'whole', 'accounts', 'agreements'));
    assert.equal(text(`accounts/agreements/${pdf[0]}`).slice(0, 5), '%PDF-');
    assert.match(text('README.html'), /submissions\.csv/);
    for (const name of files(join(folder, 'whole'))) {
      const content = readFileSync(join(folder, 'whole', name));
      assert.equal(content.includes('whsec_'), false, `${name} has the secret of a webhook`);
      assert.equal(content.includes(other.mark), false, `${name} tells of another customer`);
    }
  });

  test('nothing can be changed unnoticed', async () => {
    const path = join(folder, 'whole');
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: path });
    const listed = text('SHA256SUMS')
      .trim()
      .split('\n')
      .map((line) => line.slice(66));
    assert.deepEqual([...listed, 'SHA256SUMS', 'export.json', 'manifest.json'].toSorted(), files(path));
    const { contents, signature } = JSON.parse(text('manifest.json'));
    assert.equal(contents.files, listed.length);
    assert.ok(signature.length > 80);
    await assert.rejects(exportTo(path), /whole/);
  });

  test('an export that was cut off goes on in the same folder, and in no other', async () => {
    const path = join(folder, 'cut');
    const { blobs } = app.installation;
    let reads = 0;
    const failing = {
      ...blobs,
      read: (...args: Parameters<typeof blobs.read>) => {
        reads += 1;
        if (reads === 3) throw new Error('the machine is gone');
        return blobs.read(...args);
      },
    };
    await assert.rejects(exportTo(path, failing), /the machine is gone/);
    const cut = files(path);
    assert.ok(cut.length > 2 && !cut.includes('manifest.json'));
    const kept = cut.find((name) => name.endsWith('.csv')) as string;
    writeFileSync(join(path, kept), 'as it was');
    const begun = JSON.parse(readFileSync(join(path, 'export.json'), 'utf8'));
    clock.advance(60_000);
    await exportTo(path);
    const { contents } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
    assert.equal(contents.beganAt, begun.began_at, 'it began when it was begun');
    assert.ok(contents.at > begun.began_at);
    assert.equal(readFileSync(join(path, kept), 'utf8'), 'as it was', 'what was whole is not written again');
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: path });
    const strange = join(folder, 'strange');
    execFileSync('mkdir', [strange]);
    writeFileSync(join(strange, 'a'), '');
    await assert.rejects(exportTo(strange), /empty/);
  });
}
