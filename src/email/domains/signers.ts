import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createSigner, type Signer } from '../delivery/writing/sign.ts';
import { domainOf } from '../submission/address.ts';
import { chooseKeys } from './choose-keys.ts';
import type { DeliveryMode } from './delivery-mode.ts';
import { addPair, keysOf, openKey } from './dkim-keys.ts';
import { suffixesOf } from './domain-name.ts';
import { holdersOf } from './holders.ts';
import { makePair } from './key-pair.ts';
import { createMemory } from './memory.ts';

const KEPT_MS = 60_000;

/** What signs the mail of a customer from a domain; it signs nothing where no key has been seen in DNS. */
export type SignerFor = (customerId: number, domain: string) => Promise<Signer>;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
  mode: DeliveryMode;
  systemFrom: string;
}

/** Builds what finds the keys for mail from a domain; in the sandbox they are made when they are first needed. */
export function createSigners(deps: Deps): SignerFor {
  const signers = createMemory<string, Signer>(deps.clock, KEPT_MS);
  return (customerId, domain) => signers.of(`${customerId}/${domain}`, () => findSigner(deps, customerId, domain));
}

async function findSigner(deps: Deps, customerId: number, domain: string): Promise<Signer> {
  const holders = holdersOf(domainOf(deps.systemFrom), customerId, domain);
  for (const holder of holders) {
    const signer = await signerOf(deps, holder, domain);
    if (signer !== null) return signer;
  }
  if (deps.mode !== 'sandbox') return createSigner();
  const [first = customerId] = holders;
  await makeKeys(deps, first, domain);
  return (await signerOf(deps, first, domain)) ?? createSigner();
}

async function signerOf({ db, vault, mode }: Deps, holder: number, domain: string): Promise<Signer | null> {
  const found = await db.tenant([holder], (tx) => keysOf(tx, holder, suffixesOf(domain)));
  const chosen = chooseKeys(found, mode);
  if (chosen.length === 0) return null;
  const keys = await vault.of(holder);
  return createSigner(
    ...chosen.map((key) => ({ domain: key.domain, selector: key.selector, privateKey: openKey(keys, key) })),
  );
}

async function makeKeys({ db, vault, clock }: Deps, customerId: number, domain: string): Promise<void> {
  const keys = await vault.of(customerId);
  const made = await makePair(1);
  const wanted = { customerId, domain, pair: 1, at: clock.now() };
  await db.tenant([customerId], (tx) => addPair(tx, keys, wanted, made));
}
