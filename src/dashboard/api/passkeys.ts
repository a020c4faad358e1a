import { sql } from 'kysely';
import { Type } from 'typebox';
import {
  addPasskey,
  creationOptions,
  keepChallenge,
  readAbout,
  recordAct,
  removePasskey,
  takeChallenge,
} from '../../accounts/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import type { DashboardDeps } from '../deps.ts';
import { codesWithFirst, requireAnother, requireMayAdd } from '../enrolling.ts';
import { relyingParty } from '../relying-party.ts';
import { takeFactor } from '../show.ts';
import { signedIn, whoOf } from '../signed-in.ts';
import { ADDING, AddedReply } from './factors.ts';
import { CreationOptions, PasskeyRegistration } from './passkey-schemas.ts';

const MISSING = 'No such passkey';

/** Passkeys as a second factor. */
export function passkeyEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock, requireOwn } = deps;
  return [
    endpoint({
      method: 'POST',
      path: '/factors/passkeys/options',
      operation: 'beginPasskey',
      summary: 'What a browser needs to make a passkey',
      access: ADDING,
      audit: null,
      reply: CreationOptions,
      async handle({ caller, headers }) {
        const person = signedIn(caller);
        const who = whoOf(person);
        return db.tenant([who.customerId], async (tx) => {
          await requireMayAdd(tx, clock, person);
          const options = await creationOptions(tx, relyingParty(deps, headers), who, await readAbout(tx, who));
          await keepChallenge(tx, clock, person, options.challenge);
          return options;
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/factors/passkeys',
      operation: 'addPasskey',
      summary: 'Add the passkey that a browser has made',
      access: ADDING,
      audit: 'factor.added',
      body: Type.Object({ name: Type.String({ maxLength: 100 }), credential: PasskeyRegistration }),
      reply: AddedReply,
      async handle(call) {
        const person = signedIn(call.caller);
        const who = whoOf(person);
        const name = call.body.name.trim();
        if (name === '') throw invalidField('name', 'must not be empty');
        const party = relyingParty(deps, call.headers);
        let codes: string[] | null = null;
        const proven = await takeFactor(deps, call, 'factor.refused', async (tx, keys) => {
          await requireMayAdd(tx, clock, person);
          const challenge = await takeChallenge(tx, clock, person);
          const asked = { party, name, response: call.body.credential };
          if (challenge === null || !(await addPasskey(tx, clock, who, { ...asked, challenge }))) return false;
          codes = await codesWithFirst(tx, { clock, keys }, who);
          return true;
        });
        return { ...proven, recovery_codes: codes };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/factors/passkeys/:id',
      operation: 'removePasskey',
      summary: 'Forget a passkey',
      access: { scope: 'people', role: 'any', fresh: true },
      audit: 'factor.removed',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({}),
      async handle({ caller, act, params }) {
        const who = whoOf(signedIn(caller));
        if (!isUuid(params.id)) throw new AppError('not_found', MISSING);
        const id = canonicalUuid(params.id);
        await db.tenant([who.customerId], async (tx) => {
          await requireOwn(tx, who.customerId, sql<number | null>`find_passkey_customer(${id})`, MISSING);
          await requireAnother(tx, who);
          if (!(await removePasskey(tx, who, id))) throw new AppError('not_found', MISSING);
          await recordAct(tx, clock, act, { target: who.userId, details: { factor: 'passkey' } });
        });
        return {};
      },
    }),
  ];
}
