import { Type } from 'typebox';
import { renderSVG } from 'uqr';
import {
  confirmTotp,
  enrolTotp,
  listPasskeys,
  makeRecoveryCodes,
  methodsOf,
  readAbout,
  recordAct,
  removeTotp,
} from '../../accounts/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Access } from '../../platform/http/access.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { codesWithFirst, requireAnother, requireMayAdd } from '../enrolling.ts';
import { spaceless, takeFactor } from '../show.ts';
import { signedIn, whoOf } from '../signed-in.ts';
import { Moment, MomentOrNull, momentOf } from './reply-parts.ts';
import { CodeBody, ProvenReply } from './sign-in.ts';

/** The first factor is added before any was shown; `requireMayAdd` asks for the rest. */
export const ADDING = { scope: 'people', role: 'any', unproven: true } as const satisfies Access;
const REMOVING = { scope: 'people', role: 'any', fresh: true } as const satisfies Access;
const Codes = Type.Array(Type.String());
/** What whoever has added a factor is told: the recovery codes with the first one, this once. */
export const AddedReply = Type.Object({ ...ProvenReply.properties, recovery_codes: Type.Union([Codes, Type.Null()]) });

/** What somebody shows as a second factor. */
export function factorEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, vault, clock } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/factors',
      operation: 'readFactors',
      summary: 'What you can show as a second factor',
      access: { scope: 'people', role: 'any' },
      audit: null,
      reply: Type.Object({
        totp: Type.Boolean(),
        passkeys: Type.Array(
          Type.Object({ id: Type.String(), name: Type.String(), created_at: Moment, last_used_at: MomentOrNull }),
        ),
        recovery_codes: Type.Integer({ description: 'how many are left' }),
      }),
      async handle({ caller }) {
        const who = whoOf(signedIn(caller));
        return db.tenant([who.customerId], async (tx) => {
          const { totp, recovery_codes } = await methodsOf(tx, who);
          const passkeys = await listPasskeys(tx, who);
          return {
            totp,
            recovery_codes,
            passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
              id,
              name,
              created_at: createdAt.toISOString(),
              last_used_at: momentOf(lastUsedAt),
            })),
          };
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/factors/totp',
      operation: 'addTotp',
      summary: 'Begin with an authenticator app; it counts once a code of it is shown',
      access: ADDING,
      audit: null,
      reply: Type.Object({ secret: Type.String(), uri: Type.String(), qr_svg: Type.String() }),
      async handle({ caller }) {
        const person = signedIn(caller);
        const who = whoOf(person);
        const keys = await vault.of(who.customerId);
        const enrolment = await db.tenant([who.customerId], async (tx) => {
          await requireMayAdd(tx, clock, person);
          const { email } = await readAbout(tx, who);
          return enrolTotp(tx, keys, who, email);
        });
        return { ...enrolment, qr_svg: renderSVG(enrolment.uri, { ecc: 'M', border: 2 }) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/factors/totp/confirm',
      operation: 'confirmTotp',
      summary: 'Show a code of the new authenticator app, which then takes the place of any before',
      access: ADDING,
      audit: 'factor.added',
      body: CodeBody,
      reply: AddedReply,
      async handle(call) {
        const person = signedIn(call.caller);
        const who = whoOf(person);
        let codes: string[] | null = null;
        const proven = await takeFactor(deps, call, 'factor.refused', async (tx, keys) => {
          await requireMayAdd(tx, clock, person);
          if (!(await confirmTotp(tx, { clock, keys }, who, spaceless(call.body.code)))) return false;
          codes = await codesWithFirst(tx, { clock, keys }, who);
          return true;
        });
        return { ...proven, recovery_codes: codes };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/factors/totp',
      operation: 'removeTotp',
      summary: 'Forget the authenticator app',
      access: REMOVING,
      audit: 'factor.removed',
      reply: Type.Object({}),
      async handle({ caller, act }) {
        const who = whoOf(signedIn(caller));
        await db.tenant([who.customerId], async (tx) => {
          const { totp } = await methodsOf(tx, who);
          if (!totp) throw new AppError('not_found', 'No authenticator app is in use');
          await requireAnother(tx, who);
          await removeTotp(tx, who);
          await recordAct(tx, clock, act, { target: who.userId, details: { factor: 'totp' } });
        });
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/factors/recovery_codes',
      operation: 'makeRecoveryCodes',
      summary: 'Make ten recovery codes in place of those before; they are shown this once',
      access: REMOVING,
      audit: 'factor.recovery-codes-made',
      reply: Type.Object({ recovery_codes: Codes }),
      async handle({ caller, act }) {
        const who = whoOf(signedIn(caller));
        const keys = await vault.of(who.customerId);
        const codes = await db.tenant([who.customerId], async (tx) => {
          await recordAct(tx, clock, act, { target: who.userId });
          return makeRecoveryCodes(tx, { clock, keys }, who);
        });
        return { recovery_codes: codes };
      },
    }),
  ];
}
