import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { ExplainRoute } from '../delivery/explain-route.ts';
import { readDomainName } from '../domains/domain-name.ts';

const OrNull = Type.Union([Type.String(), Type.Null()]);

const Host = Type.Object({
  host: Type.String(),
  preference: Type.Integer(),
  addresses: Type.Array(Type.String()),
  dnssec: Type.Boolean(),
  tlsa: Type.Union([Type.Integer(), Type.Null()]),
  tls: Type.Union([
    Type.Object({ version: Type.String(), cipher: Type.String(), certificate_sha256: Type.String() }),
    Type.Null(),
  ]),
  verified: Type.Boolean(),
  notice: Type.Boolean(),
  policy: Type.String(),
  reason: OrNull,
});

const Route = Type.Object({
  domain: Type.String(),
  outcome: Type.Enum(['content', 'notice', 'nothing']),
  summary: Type.String(),
  mta_sts: Type.Union([
    Type.Object({ mode: Type.String(), id: Type.String(), mx: Type.Array(Type.String()) }),
    Type.Null(),
  ]),
  remembered: Type.Boolean(),
  hosts: Type.Array(Host),
});

/** GET /route */
export function routeEndpoint({
  db,
  clock,
  explainRoute,
}: {
  db: Database;
  clock: Clock;
  explainRoute: ExplainRoute;
}): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/route',
    operation: 'explainRoute',
    summary: 'Why mail to a domain can or cannot leave at this moment',
    access: { scope: 'email' },
    audit: 'route.explained',
    query: Type.Object({ domain: Type.String({ description: 'the part of an address behind the @' }) }),
    reply: Type.Object({ data: Route }),
    async handle({ act, query }) {
      const domain = readDomainName(query.domain);
      await db.tenant([act.customerId], (tx) => recordAct(tx, clock, act, { details: { domain } }));
      return { data: await explainRoute(domain) };
    },
  });
}
