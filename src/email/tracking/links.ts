import type { Database, Tx } from '../../platform/db/database.ts';
import { createGroupCommit } from '../../platform/db/group-commit.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import '../tables.ts';

interface NewLinks {
  customerId: number;
  messageId: string;
  targets: string[];
}

export type KeepLinks = (links: NewLinks) => Promise<void>;

/**
 * Keeps where the links of a message lead, before it leaves. The commit does not wait for the disk: the
 * one that notes the delivery comes later in the same log, and without that the message is sent again.
 */
export function createKeepLinks({ db, vault }: { db: Database; vault: Vault }): KeepLinks {
  const commit = createGroupCommit<NewLinks, void>({
    sizeOf: ({ targets }) => targets.reduce((sum, target) => sum + target.length, 0),
    async commit(batch) {
      const rows = await Promise.all(batch.map((links) => sealLinks(vault, links)));
      await db.raw([...new Set(batch.map(({ customerId }) => customerId))], async (client) => {
        await client.query('set local synchronous_commit = off');
        await client.query(
          `insert into message_links (message_id, customer_id, sealed)
           select * from json_to_recordset($1::json) as l (message_id uuid, customer_id int, sealed bytea)
           on conflict (message_id) do nothing`,
          [JSON.stringify(rows)],
        );
      });
      return batch.map(() => undefined);
    },
  });
  return async (links) => {
    if (links.targets.length > 0) await commit(links);
  };
}

async function sealLinks(vault: Vault, { customerId, messageId, targets }: NewLinks) {
  const keys = await vault.of(customerId);
  const sealed = keys.seal(placeOf(messageId), JSON.stringify(targets));
  return { message_id: messageId, customer_id: customerId, sealed: `\\x${sealed.toString('hex')}` };
}

/** Where the links of a message lead, by their numbers. */
export async function readLinks(tx: Tx, keys: CustomerVault, customerId: number, messageId: string): Promise<string[]> {
  const row = await tx
    .selectFrom('message_links')
    .select('sealed')
    .where('customer_id', '=', customerId)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row === undefined ? [] : (JSON.parse(keys.open(placeOf(messageId), row.sealed).toString()) as string[]);
}

function placeOf(messageId: string) {
  return { table: 'message_links', row: messageId, column: 'sealed' };
}
