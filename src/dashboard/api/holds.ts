import { type Static, Type } from 'typebox';
import { type Held, HOLD_KINDS, type Hold, listHolds, recordAct, releaseHold, setHold } from '../../accounts/index.ts';
import { parseAddress } from '../../email/index.ts';
import { indexesOfPerson } from '../../forms/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { DashboardDeps } from '../deps.ts';
import { Moment, MomentOrNull, momentOf, TextOrNull } from './reply-parts.ts';

const Kind = Type.Enum([...HOLD_KINDS]);
const Reason = Type.String({ maxLength: 1_000 });

const HoldReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Kind,
  target: TextOrNull,
  email: TextOrNull,
  reason: Type.String(),
  set_at: Moment,
  by_operator: Type.Boolean({ description: 'set by whoever runs the server, who alone releases it' }),
  released_at: MomentOrNull,
  release_reason: TextOrNull,
});

const HoldBody = Type.Object({
  kind: Kind,
  target: Type.Optional(Type.String({ maxLength: 100, description: 'the id of the form, submission or message' })),
  email: Type.Optional(Type.String({ maxLength: 254, description: 'the address of the person' })),
  reason: Reason,
});

/** What nobody may remove for as long as a court or an authority may ask for it. */
export function holdEndpoints({ db, vault, clock, idempotency, requireOwn }: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/holds',
      operation: 'listHolds',
      summary: 'The legal holds: those that stand, then those that were released',
      access: { scope: 'people', role: 'owner' },
      audit: 'holds.listed',
      reply: Type.Object({ data: Type.Array(HoldReply) }),
      async handle({ act }) {
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const holds = await listHolds(tx, keys, act.customerId);
          await recordAct(tx, clock, act, { details: { holds: holds.length } });
          return { data: holds.map(describe) };
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/holds',
      operation: 'setHold',
      summary: 'Keep everything, what is about a person, or one object from being removed by anybody',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'hold.set',
      status: 201,
      body: HoldBody,
      idempotent: true,
      reply: Type.Object({ id: Type.String({ format: 'uuid' }) }),
      async handle({ act, body, idempotency: claim }) {
        const keys = await vault.of(act.customerId);
        const held = readHeld(keys, body);
        return db.tenant([act.customerId], async (tx) => {
          const reply = { id: await setHold(tx, { clock, keys, act, requireOwn }, held, body.reason) };
          await idempotency.keepWith(tx, claim, { status: 201, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/holds/:id/release',
      operation: 'releaseHold',
      summary: 'End a legal hold; retention and deletion go on',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'hold.released',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ reason: Reason }),
      reply: Type.Object({}),
      async handle({ act, params, body }) {
        const keys = await vault.of(act.customerId);
        await db.tenant([act.customerId], (tx) =>
          releaseHold(tx, { clock, keys, act, requireOwn }, params.id, body.reason),
        );
        return {};
      },
    }),
  ];
}

function readHeld(keys: CustomerVault, { kind, target, email }: Static<typeof HoldBody>): Held {
  if (kind === 'customer') return { kind };
  if (kind === 'person') {
    const address = parseAddress(email ?? '')?.address;
    if (address === undefined) throw invalidField('email', 'takes an email address');
    return { kind, email: address, indexes: indexesOfPerson(keys, address) };
  }
  if (target === undefined) throw invalidField('target', `takes the id of a ${kind}`);
  return { kind, target };
}

function describe(hold: Hold): Static<typeof HoldReply> {
  return {
    id: hold.id,
    kind: hold.kind,
    target: hold.target,
    email: hold.email,
    reason: hold.reason,
    set_at: hold.setAt.toISOString(),
    by_operator: hold.setBy.kind === 'cli',
    released_at: momentOf(hold.releasedAt),
    release_reason: hold.releaseReason,
  };
}
