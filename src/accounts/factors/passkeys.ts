import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Who } from '../sessions/begin-session.ts';
import '../tables.ts';

/** Loaded with the first passkey: it takes 27 MB. */
const loadWebauthn = () => import('@simplewebauthn/server');

const PRODUCT = 'Carepost';
/** EdDSA, ES256 and RS256, which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** The server that passkeys are for, and the origins that its pages have. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The passkeys of a person, the oldest first. */
export async function listPasskeys(tx: Tx, who: Who): Promise<Passkey[]> {
  const rows = await passkeysOf(tx, who);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** What a browser needs to make a passkey. */
export async function creationOptions(
  tx: Tx,
  party: RelyingParty,
  who: Who,
  about: { email: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebauthn();
  return generateRegistrationOptions({
    rpName: PRODUCT,
    rpID: party.id,
    userID: new TextEncoder().encode(who.userId),
    userName: about.email,
    userDisplayName: about.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await credentialsOf(tx, who),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** What a browser needs to show a passkey. */
export async function requestOptions(
  tx: Tx,
  party: RelyingParty,
  who: Who,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const allowCredentials = await credentialsOf(tx, who);
  const { generateAuthenticationOptions } = await loadWebauthn();
  return generateAuthenticationOptions({ rpID: party.id, allowCredentials, userVerification: 'preferred' });
}

/** Keeps a new passkey that answers the challenge; false where it does not, or where it is known already. */
export async function addPasskey(
  tx: Tx,
  clock: Clock,
  who: Who,
  asked: { party: RelyingParty; challenge: string; name: string; response: RegistrationResponseJSON },
): Promise<boolean> {
  const { party, challenge, name, response } = asked;
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { verified, registrationInfo } = await orUnverified(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    }),
  );
  if (!verified || registrationInfo === undefined) return false;
  const { credential } = registrationInfo;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_passkeys')
    .values({
      id: timeOrderedId(clock),
      customer_id: who.customerId,
      user_id: who.userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      created_at: clock.now(),
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether a passkey of the person answers the challenge. */
export async function takePasskey(
  tx: Tx,
  clock: Clock,
  who: Who,
  asked: { party: RelyingParty; challenge: string; response: AuthenticationResponseJSON },
): Promise<boolean> {
  const { party, challenge, response } = asked;
  const row = (await passkeysOf(tx, who)).find((each) => each.credential_id === response.id);
  if (row === undefined) return false;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { verified, authenticationInfo } = await orUnverified(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: row.counter },
      requireUserVerification: false,
    }),
  );
  if (!verified || authenticationInfo === undefined) return false;
  await tx
    .updateTable('user_passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: clock.now() })
    .where('customer_id', '=', who.customerId)
    .where('id', '=', row.id)
    .execute();
  return true;
}

/** Forgets one passkey of a person; false where there is none of that id. */
export async function removePasskey(tx: Tx, who: Who, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_passkeys')
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Forgets all passkeys of a person. */
export async function removePasskeys(tx: Tx, who: Who): Promise<void> {
  await tx
    .deleteFrom('user_passkeys')
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .execute();
}

/** The library throws at whatever does not fit; to us it is just not verified. */
async function orUnverified<T extends { verified: boolean }>(
  checked: Promise<T>,
): Promise<T | { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined }> {
  return checked.catch(() => ({ verified: false }) as const);
}

async function credentialsOf(tx: Tx, who: Who) {
  const rows = await passkeysOf(tx, who);
  return rows.map(({ credential_id: id, transports }) => ({ id, transports }));
}

async function passkeysOf(tx: Tx, { customerId, userId }: Who) {
  return tx
    .selectFrom('user_passkeys')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}
