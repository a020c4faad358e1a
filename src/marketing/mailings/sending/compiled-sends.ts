import { domainOf } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { listFieldTypes } from '../../fields/field-types.ts';
import { type CompiledSend, compileSend } from './compile-send.ts';
import type { MailingsDeps } from './lane.ts';
import type { Send } from './send.ts';

const MOST = 50;
/** Keys and return paths change while a send goes on; that of a drip may go on for years. */
const KEPT_MS = 60_000;

export interface CompiledSends {
  of(send: Send): Promise<CompiledSend>;
}

/** Keeps what was compiled of the sends that are under way for a short while, and while nobody's fields become others. */
export function createCompiledSends(deps: MailingsDeps): CompiledSends {
  const compiled = new Map<number, { whole: Promise<CompiledSend>; fields: string; until: number }>();

  async function compile(send: Send, types: FieldType[]): Promise<CompiledSend> {
    const keys = await deps.vault.of(send.customer_id);
    const returnPathDomain = await deps.returnPathDomainOf(send.customer_id, domainOf(send.sender_email));
    const writing = { ...deps, keys, types, returnPathDomain };
    return deps.db.tenant([send.customer_id], (tx: Tx) => compileSend(tx, writing, send));
  }

  return {
    async of(send) {
      const types = await deps.db.tenant([send.customer_id], (tx) => listFieldTypes(tx, send.customer_id));
      const fields = JSON.stringify(types);
      const now = deps.clock.now().getTime();
      const kept = compiled.get(send.id);
      const holds = kept !== undefined && kept.until > now && kept.fields === fields;
      const entry = holds ? kept : { whole: compile(send, types), fields, until: now + KEPT_MS };
      compiled.delete(send.id);
      compiled.set(send.id, entry); // the last used last, so that the first is the one to forget
      if (compiled.size > MOST) compiled.delete(compiled.keys().next().value as number);
      entry.whole.catch(() => compiled.get(send.id) === entry && compiled.delete(send.id));
      return entry.whole;
    },
  };
}
