import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { openAccount, openBrowser } from '../sign-in/visitor.ts';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner } from '../support/owner.ts';

/** What nobody in particular does, and by which part of the product. */
const OF_WORKERS = new Set([
  'delivery email.attempts',
  'oversight break-glass.told',
  'delivery pickup.made',
  'export form.export-made',
  'import import.finished',
  'bulk bulk_job.finished',
  'bulk export.announced',
  'marketing subscription.confirmation-sent',
  'oversight break-glass.told',
  'oversight review.made',
]);
/** What takes an address and nothing else; the actor is then what was addressed. */
const OF_THE_PUBLIC = new Set(['submission.received', 'upload.begun', 'sign-in.failed']);

interface Row {
  actor_kind: string;
  actor_id: string;
  action: string;
  known: boolean;
}

test('every row of the audit log names who it was: a person, a key, or a part of the product on a short list', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const owner = await createOwner(app);
  const person = await openAccount(app, owner, 'admin');
  await openBrowser(app).ask('POST', '/sign_in', { email: person.email, password: 'not the one' });
  await openBrowser(app).ask('POST', '/sign_in', { email: 'nobody@example.org', password: 'not the one' });
  const message = {
    recipients: ['ann@example.com'],
    headers: { from: 'a@example.org' },
    content: { 'text/plain': 'x' },
  };
  const sent = await app.request('POST', '/v1/email/messages', { key: owner.key, body: { data: { message } } });
  assert.equal(sent.status, 200, sent.text);

  const rows = await eventually(async () => {
    const { rows: found } = await withConnection(app.installation.ownerUrl, (client) =>
      client.query<Row>(`select actor_kind, actor_id, action,
        exists (select from users u where u.id::text = l.actor_id) or exists (select from api_keys k where k.id::text = l.actor_id)
          as known from audit_log l`),
    );
    assert.ok(found.some(({ action }) => action === 'email.attempts'));
    return found;
  });
  const kinds = new Set(rows.map(({ actor_kind }) => actor_kind));
  assert.deepEqual(
    ['key', 'user', 'worker', 'public', 'cli'].filter((kind) => !kinds.has(kind)),
    [],
    'there are acts of every kind',
  );
  const nameless = rows.filter(({ actor_kind, actor_id, action, known }) => {
    if (actor_kind === 'key' || actor_kind === 'user') return !known;
    if (actor_kind === 'worker') return !OF_WORKERS.has(`${actor_id} ${action}`);
    if (actor_kind === 'public') return !OF_THE_PUBLIC.has(action) || actor_id === '';
    return actor_kind !== 'cli' || actor_id === '';
  });
  assert.deepEqual(nameless, []);
});
