import { domainOf } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type CompiledSend, compileSend } from './compile-send.ts';
import type { MailingsDeps } from './lane.ts';
import type { Send } from './send.ts';

const MOST = 50;

export interface CompiledSends {
  of(send: Send): Promise<CompiledSend>;
}

/** Keeps what was compiled of the sends that are under way: a version never changes. */
export function createCompiledSends(deps: MailingsDeps): CompiledSends {
  const compiled = new Map<number, Promise<CompiledSend>>();

  async function compile(send: Send): Promise<CompiledSend> {
    const keys = await deps.vault.of(send.customer_id);
    const returnPathDomain = await deps.returnPathDomainOf(send.customer_id, domainOf(send.sender_email));
    return deps.db.tenant([send.customer_id], (tx: Tx) => compileSend(tx, { ...deps, keys, returnPathDomain }, send));
  }

  return {
    of(send) {
      const known = compiled.get(send.id) ?? compile(send);
      compiled.delete(send.id);
      compiled.set(send.id, known); // the last used last, so that the first is the one to forget
      if (compiled.size > MOST) compiled.delete(compiled.keys().next().value as number);
      known.catch(() => compiled.delete(send.id));
      return known;
    },
  };
}
