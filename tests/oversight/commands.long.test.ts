import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Command } from '../../src/cli/command.ts';
import { breakGlassCodes, breakGlassEnd, breakGlassList } from '../../src/cli/commands/break-glass.ts';
import { incidentExport, incidentList, incidentOpen } from '../../src/cli/commands/incident.ts';
import { personExport } from '../../src/cli/commands/person.ts';
import { auditWhoRead } from '../../src/cli/commands/who-read.ts';
import { readArguments } from '../../src/cli/read-arguments.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'carepost-oversight-'));
let app: TestApp;
let customer: TestCustomer;
let operator: SignedIn;
before(async (t) => {
  app = await startApp(t as TestContext);
  (t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }));
  customer = await app.createCustomer();
  operator = await signIn(app, null, 'operator');
});

/** What a command prints with --json, in this process: starting one takes longer than all that it does. */
async function json(command: Command, ...args: string[]) {
  const output = await command.run({ config: app.installation.config, ...readArguments(command, args) });
  return JSON.parse(JSON.stringify(output?.json));
}

test('codes are printed once and open, and emergency access is listed and ended', async () => {
  const { codes } = await json(breakGlassCodes);
  assert.equal(new Set(codes).size, 10);
  const body = { customer_id: customer.id, reason: 'a test of the codes in the safe', minutes: 240 };
  const { id } = (await operator.request('POST', '/app/api/operator/break_glass', { body })).body;
  const opened = await operator.request('POST', `/app/api/operator/break_glass/${id}/open`, {
    body: { code: codes[3] },
  });
  assert.equal(opened.status, 200, opened.text);
  const [listed] = (await json(breakGlassList)).data;
  assert.deepEqual([listed.id, listed.state, listed.opened_by_kind], [id, 'open', 'code']);
  assert.doesNotMatch(JSON.stringify(listed), /in the safe/);
  assert.deepEqual(await json(breakGlassEnd, id), { id, ended: true });
  await assert.rejects(json(breakGlassEnd, id), { message: 'It is over already' });
  await assert.rejects(async () => json(breakGlassEnd, 'nothing'), /takes the id/);
});

test('whose records a key read is told by ids, and by names only where they are asked for', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: { email: 'ann@example.com' } });
  const read = await app.request('GET', `/v1/forms/api/forms/${formId}/submissions/${id}`, { key: customer.key });
  assert.equal(read.status, 200);
  const span = ['--from', '2020-01-01T00:00:00Z', '--to', '2100-01-01T00:00:00Z'];
  const told = await json(auditWhoRead, '--key', customer.keyId, ...span);
  assert.deepEqual(told, { rows: 1, people: 1, records: [{ kind: 'submission', id }] });
  const named = await json(auditWhoRead, '--key', customer.keyId, ...span, '--people');
  assert.equal(named.people[0].email, 'ann@example.com');
  const both = async () => json(auditWhoRead, '--key', customer.keyId, '--user', customer.keyId, ...span);
  const local = ['--key', customer.keyId, '--from', '2020-01-01T00:00', '--to', '2100-01-01'];
  await assert.rejects(async () => json(auditWhoRead, ...local), {
    message: '--from takes a time such as 2027-01-31T10:30:00Z',
  });
  await assert.rejects(both, { message: 'audit who-read takes one of --key, --user, --grant and --cli' });
});

test('whose records were taken out on the command line is told by the account there', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: { email: 'bea@example.com' } });
  const of = ['--customer', String(customer.id)];
  const out = join(folder, 'bea.zip');
  await json(personExport, ...of, '--email', 'bea@example.com', '--out', out);
  const span = ['--from', '2020-01-01T00:00:00Z', '--to', '2100-01-01T01:00:00+01:00'];
  const told = await json(auditWhoRead, '--cli', userInfo().username, ...of, ...span);
  assert.ok(told.records.some((each: { id: string }) => each.id === id));
  assert.deepEqual(await json(auditWhoRead, '--cli', 'somebody-else', ...of, ...span), {
    rows: 0,
    people: 0,
    records: [],
  });
  await assert.rejects(json(auditWhoRead, '--cli', 'root', ...span), { message: '--customer is required' });
});

test('an incident is opened from a file, listed and exported', async () => {
  const file = join(folder, 'incident.json');
  const known = {
    discovered_at: '2026-01-02T03:04:05Z',
    breach_from: null,
    breach_to: null,
    severity: 'critical',
    what_happened: 'A laptop was stolen',
    information: 'Names',
    steps: 'None',
    doing: 'It was wiped from afar',
    contact: 'privacy@clinic.example',
    scope: null,
  };
  writeFileSync(file, JSON.stringify({ ...known, severity: 'enormous' }));
  const refused = json(incidentOpen, '--customer', String(customer.id), '--file', file);
  await assert.rejects(refused, ({ message }: Error) => message.startsWith('severity: ') && !/enormous/.test(message));
  writeFileSync(file, JSON.stringify(known));
  const { id } = await json(incidentOpen, '--customer', String(customer.id), '--file', file);
  const { data } = await json(incidentList, '--customer', String(customer.id));
  assert.deepEqual([data[0].id, data[0].notice_due], [id, '2026-03-03T03:04:05.000Z']);
  const out = join(folder, 'out.json');
  await json(incidentExport, id, '--customer', String(customer.id), '--out', out);
  await assert.rejects(json(incidentExport, id, '--customer', String(customer.id), '--out', out), {
    message: '--out takes a file that is not there yet, in a folder that is',
  });
  assert.deepEqual((await json(incidentList)).data, [], 'the installation has none');
  assert.equal(JSON.parse(readFileSync(out, 'utf8')).notice.what_happened, 'A laptop was stolen');
});
