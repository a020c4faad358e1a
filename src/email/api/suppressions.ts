import { Type } from 'typebox';
import { recordAct, requireNotHeld } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { parseAddress } from '../submission/address.ts';
import { listSuppressions, type Place, type Suppression } from '../suppressions/list.ts';
import { type Reason, STOPS_ALL_MAIL, STOPS_MAILINGS } from '../suppressions/reason.ts';
import { indexOf } from '../suppressions/sealed-address.ts';
import { suppress, unsuppress } from '../suppressions/suppress.ts';

const DEFAULT_LIMIT = 50;
const MOST = 200;
const CURSOR = /^([0-9a-f]{32})\.([a-z_]+)$/;

const Entry = Type.Object({
  address: Type.String(),
  reason: Type.Enum([...STOPS_MAILINGS]),
  sourceTrackingId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  createdAt: Type.String({ format: 'date-time' }),
});

const Limit = Type.String({ pattern: '^\\d*$', description: `1 to ${MOST}, ${DEFAULT_LIMIT} by default` });

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  idempotency: Idempotency;
}

/** Addresses that get nothing more. They stand in queries and bodies only: a path may be written to logs. */
export function suppressionEndpoints({ db, vault, clock, idempotency }: Deps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/suppressions',
      operation: 'listSuppressions',
      summary: 'The addresses that get no mail (or, with opt_out, no mailings), and why',
      access: { scope: 'email' },
      audit: 'suppressions.listed',
      query: Type.Object({
        reason: Type.Optional(Type.Enum(['', ...STOPS_MAILINGS])),
        address: Type.Optional(Type.String({ description: 'only this address' })),
        after: Type.Optional(Type.String({ description: 'the `next` of the last page' })),
        limit: Type.Optional(Limit),
      }),
      reply: Type.Object({ data: Type.Array(Entry), next: Type.Union([Type.String(), Type.Null()]) }),
      async handle({ act, query }) {
        const limit = Math.min(Math.max(1, Number(query.limit || DEFAULT_LIMIT)), MOST);
        const wanted = {
          reason: query.reason || null,
          address: query.address === undefined || query.address === '' ? null : readAddress(query.address),
          after: readCursor(query.after),
          limit,
        };
        const keys = await vault.of(act.customerId);
        const found = await db.tenant([act.customerId], async (tx) => {
          const page = await listSuppressions(tx, keys, act.customerId, wanted);
          await recordAct(tx, clock, act, { details: { addresses: page.length, suppressions: page.map(cursorOf) } });
          return page;
        });
        const last = found.length < limit ? undefined : found.at(-1);
        return { data: found.map(describe), next: last === undefined ? null : cursorOf(last) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/suppressions',
      operation: 'createSuppression',
      summary: 'Send nothing more to an address',
      access: { scope: 'email', phi: true },
      audit: 'suppression.created',
      body: Type.Object({ address: Type.String(), reason: Type.Optional(Type.Literal('manual')) }),
      idempotent: true,
      reply: Type.Object({ data: Entry }),
      async handle({ act, body, idempotency: claim }) {
        const { customerId } = act;
        const address = readAddress(body.address);
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const reason = 'manual';
          await suppress(tx, keys, { customerId, address, reason, messageId: null, at: clock.now() });
          const wanted = { reason, address, after: null, limit: 1 } as const;
          const [made] = await listSuppressions(tx, keys, customerId, wanted);
          const reply = { data: describe(made as Suppression) };
          await recordAct(tx, clock, act, { target: cursorOf(made as Suppression) });
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/suppressions',
      operation: 'deleteSuppression',
      summary: 'Let an address have mail again; an opt-out is for the person to take back',
      access: { scope: 'email' },
      audit: 'suppression.deleted',
      query: Type.Object({ address: Type.String(), reason: Type.Optional(Type.Enum(['', ...STOPS_ALL_MAIL])) }),
      reply: Type.Object({ data: Type.Object({ removed: Type.Integer() }) }),
      async handle({ act, query }) {
        const { customerId } = act;
        const addresses = [readAddress(query.address)];
        const reasons = query.reason ? [query.reason] : STOPS_ALL_MAIL;
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          await requireNotHeld(tx, customerId, { people: addresses.map((address) => indexOf(keys, address)) });
          const removed = await unsuppress(tx, keys, { customerId, addresses, reasons });
          if (removed === 0) throw missingField('address', 'is not suppressed for such a reason');
          await recordAct(tx, clock, act, { details: { removed, reasons: [...reasons] } });
          return { data: { removed } };
        });
      },
    }),
  ];
}

function readAddress(text: string): string {
  const parsed = text.includes('<') ? null : parseAddress(text);
  if (parsed === null) throw invalidField('address', 'is not a valid address');
  return parsed.address;
}

function readCursor(text: string | undefined): Place | null {
  if (text === undefined || text === '') return null;
  const [, index, reason] = CURSOR.exec(text) ?? [];
  if (index === undefined) throw invalidField('after', 'is not the end of a page');
  return { index: Buffer.from(index, 'hex'), reason: reason as Reason };
}

function cursorOf({ index, reason }: Place): string {
  return `${index.toString('hex')}.${reason}`;
}

function describe({ address, reason, messageId, createdAt }: Suppression) {
  return { address, reason, sourceTrackingId: messageId, createdAt: createdAt.toISOString() };
}
