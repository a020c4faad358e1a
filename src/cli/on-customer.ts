import type { Installation } from '../installation.ts';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { CustomerVault } from '../platform/vault/vault.ts';
import { type Invocation, knownCustomer, operatorAct, withInstallation } from './command.ts';

/** What a command on one customer works with. */
export interface OnCustomer {
  installation: Installation;
  customerId: number;
  tx: Tx;
  clock: Clock;
  /** The keys of the customer, which may have been destroyed. */
  keys(): Promise<CustomerVault>;
  /** An act of the operator on the customer. */
  act(action: string): Act;
}

/** Runs work on the customer that --customer names, in one transaction that sees nothing of the others. */
export async function onCustomer<T>(
  invocation: Invocation,
  work: (parts: OnCustomer) => Promise<T>,
  whose: (installation: Installation, invocation: Invocation) => Promise<number> = knownCustomer,
): Promise<T> {
  return withInstallation(invocation.config, async (installation) => {
    const { db, vault, clock } = installation;
    const customerId = await whose(installation, invocation);
    return db.tenant([customerId], (tx) =>
      work({
        installation,
        customerId,
        tx,
        clock,
        keys: () => vault.of(customerId),
        act: (action) => operatorAct(customerId, action),
      }),
    );
  });
}
