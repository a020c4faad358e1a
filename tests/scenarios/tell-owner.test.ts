import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '../../src/accounts/index.ts';
import { type AcceptMessages, tellOwner } from '../../src/email/index.ts';
import { startApp } from '../support/app.ts';
import { createWorker } from '../support/delivery.ts';

test('the owners of an endpoint are told together, so that a job which is done again tells nobody twice', async (t) => {
  const app = await startApp(t);
  const { db } = await createWorker(t, app);
  const { id: customerId } = await app.createCustomer();
  const owners = ['ann@clinic.example', 'ben@clinic.example'];
  for (const email of owners) {
    await createUser(app.installation, app.act(customerId, 'user.created'), { email, role: 'owner' });
  }
  const told: string[][] = [];
  const acceptMessages: AcceptMessages = async (_act, _sender, messages) => {
    told.push(messages.flatMap(({ recipients }) => recipients.map(({ address }) => address)));
    return [];
  };
  const deps = { db, acceptMessages, systemFrom: 'carepost@example.org' };
  await tellOwner(deps, { customerId, endpointId: 1, what: 'failing' });
  assert.deepEqual(
    told.map((together) => together.toSorted()),
    [owners],
  );
});
