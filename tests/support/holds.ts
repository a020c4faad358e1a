import { releaseHold, setHold } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import type { TestApp } from './app.ts';

/** A legal hold of a customer that keeps nothing any more, a choice of how long things are kept, and a log that was cut. */
export async function addHold(app: TestApp, { id: customerId, mark }: { id: number; mark: string }): Promise<string> {
  const { db, vault, clock, ownerUrl } = app.installation;
  const keys = await vault.of(customerId);
  const deps = { clock, keys, act: app.act(customerId, 'hold.set'), requireOwn };
  await withConnection(ownerUrl, async (client) => {
    await client.query(
      `insert into retention_settings (customer_id, audit_years, audit_reason, updated_at) values ($1, 6, $2, now())`,
      [customerId, mark],
    );
    await client.query(`insert into audit_cuts values ($1, 0, $2, 6, $3, $3)`, [customerId, Buffer.from(mark), mark]);
  });
  return db.tenant([customerId], async (tx) => {
    const id = await setHold(tx, deps, { kind: 'customer' }, mark);
    await releaseHold(tx, deps, id, mark);
    return id;
  });
}
