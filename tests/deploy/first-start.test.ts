import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createHome, startServer } from '../support/server.ts';

test('a first start in a container lets nobody in who reads its log, and says how to get in', async (t) => {
  const database = await createTestDatabase();
  const env = { CAREPOST_DATABASE_URL: database.url, container: 'docker' };
  const server = await startServer(t, await createHome(t), env);
  t.after(() => database.drop());
  const said = server.output();
  assert.doesNotMatch(said, /cp_live_|\/app\/\S*[#?]/);
  assert.match(said, /carepost user link --email owner@localhost\n/);
  assert.match(said, /carepost key create --customer \d+ --scopes forms,email,marketing\n/);
});
