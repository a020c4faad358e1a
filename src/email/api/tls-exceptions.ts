import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { readDomainName } from '../domains/domain-name.ts';
import { addException, listExceptions, removeException, type TlsException } from '../domains/tls-exceptions.ts';

const Exception = Type.Object({
  id: Type.String({ format: 'uuid' }),
  domain: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
});
const One = Type.Object({ data: Exception });

const access = { scope: 'email' } as const;

interface Deps {
  db: Database;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
}

/** The recipient domains to which content may go over TLS that is encrypted but not verified. */
export function tlsExceptionEndpoints({ db, clock, idempotency, requireOwn }: Deps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/tls_exceptions',
      operation: 'listTlsExceptions',
      summary: 'The recipient domains for which encrypted but unverified TLS is enough',
      access,
      audit: null,
      reply: Type.Object({ data: Type.Array(Exception) }),
      handle: ({ act: { customerId } }) =>
        db.tenant([customerId], async (tx) => ({ data: (await listExceptions(tx, customerId)).map(describe) })),
    }),
    endpoint({
      method: 'POST',
      path: '/tls_exceptions',
      operation: 'createTlsException',
      summary: 'Let content go to a recipient domain over TLS that cannot be verified',
      access: { ...access, role: 'admin', fresh: true },
      audit: 'tls-exception.created',
      body: Type.Object({ domain: Type.String() }),
      idempotent: true,
      reply: One,
      handle: ({ act, body, idempotency: claim }) => {
        const domain = readDomainName(body.domain);
        return db.tenant([act.customerId], async (tx) => {
          const reply = { data: describe(await addException({ tx, clock, act }, domain)) };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/tls_exceptions/:id',
      operation: 'deleteTlsException',
      summary: 'Ask for verified TLS again',
      access: { ...access, role: 'admin' },
      audit: 'tls-exception.deleted',
      params: Type.Object({ id: Type.String() }),
      reply: One,
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => ({
          data: describe(await removeException({ tx, clock, act }, requireOwn, params.id)),
        })),
    }),
  ];
}

function describe({ id, domain, created_at: createdAt }: TlsException) {
  return { id, domain, created_at: createdAt.toISOString() };
}
