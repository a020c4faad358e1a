import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toWireTime } from '../../src/platform/db/json-moment.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createTestDatabase } from '../support/database.ts';

test('a moment in JSON of the database is told as a date of it would be, in any time zone', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  await withConnection(database.url, async (client) => {
    const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York');
    await fc.assert(
      fc.asyncProperty(moment, fc.nat(999), zone, fc.boolean(), async (date, micros, name, whole) => {
        const second = `${date.toISOString().slice(0, 19)}${whole ? '' : date.toISOString().slice(19, 23)}`;
        const text = `${second}${whole ? '' : String(micros).padStart(3, '0')}Z`;
        await client.query(`set timezone to '${name}'`);
        const { rows } = await client.query('select $1::timestamptz as date, to_json($1::timestamptz) as json', [text]);
        assert.equal(toWireTime(rows[0].json), rows[0].date.toISOString());
      }),
    );
  });
});
