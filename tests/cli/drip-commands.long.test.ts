import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addList, addMailing, ask } from '../mailings/mailing.ts';
import { rowsOf } from '../marketing/support.ts';
import { startApp } from '../support/app.ts';
import { runHere, runProcess } from '../support/command-line.ts';

test('drips are listed and tried from the command line while the server runs', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { config, ownerUrl } = app.installation;
  const env = {
    CAREPOST_DATABASE_URL: ownerUrl,
    CAREPOST_DATA_DIR: config.dataDir,
    CAREPOST_MASTER_KEY_FILE: config.masterKeyFile,
  };
  const mailing = await addMailing(app, customer, { default_subject: 'Welcome\u001b[2J' });
  const listId = await addList(app, customer, ['ann@example.com']);
  const steps = [
    { id: 'rest', type: 'delay', days: 2 },
    { id: 'greet', type: 'email', campaign_mailing_id: mailing },
  ];
  const drip_campaign = { name: 'Newcomers', subscription_list_id: listId, steps };
  const { id } = (await ask(app, customer, 'POST', '/drip_campaigns', { drip_campaign })).body.data;
  const of = ['--customer', String(customer.id)];

  const listed = await runProcess(['drip', 'list', ...of], env);
  assert.deepEqual(listed, { code: 0, out: `${id}  draft  0 people  Newcomers\n`, err: '' });

  const startAt = ['--start-at', '2027-01-31T09:00:00Z'];
  const tried = await runHere(['drip', 'simulate', id, ...of, '--sample', '1', ...startAt], env);
  assert.deepEqual(tried.out.trim().split('\n'), [
    '2027-01-31T09:00:00.000Z  person 0  rest',
    '2027-02-02T09:00:00.000Z  person 0  greet  mail: Welcome [2J',
    '2027-02-02T09:00:00.000Z  person 0  completed',
  ]);

  const audited = await rowsOf(app, `select actor_kind, target from audit_log where action = 'drip.simulated'`);
  assert.deepEqual(audited, [{ actor_kind: 'cli', target: id }]);

  const file = join(config.dataDir, 'trial.json');
  writeFileSync(file, JSON.stringify({ people: [{ time_zone: 'Asia/Tokyo' }], until: '2027-02-01T00:00:00Z' }));
  const asJson = await runHere(['drip', 'simulate', id, ...of, '--file', file, ...startAt, '--json'], env);
  const { journeys, isComplete } = JSON.parse(asJson.out);
  assert.deepEqual([isComplete, journeys[0].enrolment.state, journeys[0].stops.length], [true, 'active', 1]);

  writeFileSync(file, JSON.stringify({ people: 'everybody' }));
  const refused = await runHere(['drip', 'simulate', id, ...of, '--file', file], env);
  assert.deepEqual(refused, { code: 2, out: '', err: 'carepost: --file does not hold what the API takes\n' });
  const unknown = await runHere(['drip', 'simulate', '999', ...of, '--sample', '1'], env);
  assert.deepEqual([unknown.code, unknown.err], [1, 'carepost: id: no such drip campaign\n']);
});
