import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { createSigner, type Signer } from '../delivery/sign.ts';
import '../tables.ts';

const BITS = 2_048;
const SELECTOR = 'carepost';

/** What signs the mail of a customer from a domain. */
export type SignerFor = (customerId: number, domain: string) => Promise<Signer>;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Builds what finds the key of a sending domain, which is made when it is first needed. */
export function createSigners(deps: Deps): SignerFor {
  const signers = new Map<string, Promise<Signer>>();
  return (customerId, domain) => {
    const name = `${customerId}/${domain}`;
    const known = signers.get(name) ?? loadSigner(deps, customerId, domain);
    signers.set(name, known);
    known.catch(() => signers.delete(name));
    return known;
  };
}

async function loadSigner(deps: Deps, customerId: number, domain: string): Promise<Signer> {
  const keys = await deps.vault.of(customerId);
  const key = (await findKey(deps.db, customerId, domain)) ?? (await makeKey(deps, keys, customerId, domain));
  const privateKey = createPrivateKey(keys.open(placeOf(domain), key.sealed).toString());
  return createSigner({ domain, selector: key.selector, privateKey });
}

async function findKey(db: Database, customerId: number, domain: string) {
  return db.tenant([customerId], (tx) =>
    tx
      .selectFrom('dkim_keys')
      .select(['selector', 'sealed'])
      .where('customer_id', '=', customerId)
      .where('domain', '=', domain)
      .executeTakeFirst(),
  );
}

/** Another node may make one at the same moment; the first one stays. */
async function makeKey({ db, clock }: Deps, keys: CustomerVault, customerId: number, domain: string) {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = { selector: SELECTOR, sealed: keys.seal(placeOf(domain), privateKey) };
  await db.tenant([customerId], (tx) =>
    tx
      .insertInto('dkim_keys')
      .values({
        customer_id: customerId,
        domain,
        ...key,
        public_key: publicKey.toString('base64'),
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  return (await findKey(db, customerId, domain)) ?? key;
}

function placeOf(domain: string) {
  return { table: 'dkim_keys', row: domain, column: 'sealed' };
}
