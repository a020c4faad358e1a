import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { checkDomain } from '../domains/check.ts';
import type { DomainDns } from '../domains/dns.ts';
import { readDomainName } from '../domains/domain-name.ts';
import { findDomain, findDomainNamed, listDomains, type SendingDomain } from '../domains/sending-domain.ts';
import {
  addDomain,
  changeWarmUp,
  type DomainWork,
  preparePair,
  removeDomain,
  rotateKeys,
} from '../domains/sending-domains.ts';
import { DomainReply, describeDomain } from './sending-domain-reply.ts';

const Id = Type.Object({ id: Type.String() });
const One = Type.Object({ data: DomainReply });

const access = { scope: 'email' } as const;

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
  dns: DomainDns;
  returnPathDomain: string | null;
}

/** The domains that a customer sends from. */
export function sendingDomainEndpoints(deps: Deps): Endpoint[] {
  const { db, clock, requireOwn, returnPathDomain } = deps;
  const context = () => ({ now: clock.now(), returnPathDomain, requireOwn });
  const inWork = <T>(act: Act, work: (parts: DomainWork) => Promise<T>) =>
    db.tenant([act.customerId], (tx) => work({ tx, clock, act }));
  const find = (act: Act, id: string) => inWork(act, ({ tx }) => findDomain(tx, context(), act.customerId, id));
  return [
    endpoint({
      method: 'GET',
      path: '/sending_domains',
      operation: 'listSendingDomains',
      summary: 'The domains to send from, and what each is to have in DNS',
      access,
      audit: null,
      reply: Type.Object({ data: Type.Array(DomainReply) }),
      handle: ({ act }) =>
        inWork(act, async ({ tx }) => ({
          data: (await listDomains(tx, context(), act.customerId)).map(describeDomain),
        })),
    }),
    endpoint({
      method: 'POST',
      path: '/sending_domains',
      operation: 'createSendingDomain',
      summary: 'Add a domain to send from; one that is there already is answered as it is',
      access: { ...access, role: 'admin' },
      audit: 'domain.added',
      body: Type.Object({ domain: Type.String() }),
      idempotent: true,
      reply: One,
      async handle({ act, body, idempotency: claim }) {
        const name = readDomainName(body.domain);
        const known = await inWork(act, ({ tx }) => findDomainNamed(tx, context(), act.customerId, name));
        const pair = known === null ? await preparePair(deps, act.customerId, name) : null;
        return inWork(act, async (work) => {
          const domain = pair === null ? (known as SendingDomain) : await addDomain(work, context(), name, pair);
          const reply = { data: describeDomain(domain) };
          await deps.idempotency.keepWith(work.tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/sending_domains/:id',
      operation: 'readSendingDomain',
      summary: 'One domain',
      access,
      audit: null,
      params: Id,
      reply: One,
      handle: async ({ act, params }) => ({ data: describeDomain(await find(act, params.id)) }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/sending_domains/:id',
      operation: 'updateSendingDomain',
      summary: 'Say whether the domain may send only a little on its first days',
      access: { ...access, role: 'admin' },
      audit: 'domain.updated',
      params: Id,
      body: Type.Object({ warm_up: Type.Optional(Type.Boolean()) }),
      reply: One,
      handle: ({ act, params, body }) =>
        inWork(act, async (work) => {
          const before = await findDomain(work.tx, context(), act.customerId, params.id);
          const warmUp = body.warm_up ?? before.warm_up;
          await changeWarmUp(work, before, warmUp);
          return { data: describeDomain({ ...before, warm_up: warmUp }) };
        }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/sending_domains/:id',
      operation: 'deleteSendingDomain',
      summary: 'Send from a domain no more',
      access: { ...access, role: 'admin' },
      audit: 'domain.removed',
      params: Id,
      reply: One,
      handle: ({ act, params }) =>
        inWork(act, async (work) => {
          const leaving = await findDomain(work.tx, context(), act.customerId, params.id);
          await removeDomain(work, leaving);
          return { data: describeDomain(leaving) };
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/sending_domains/:id/check',
      operation: 'checkSendingDomain',
      summary: 'Look for the records of a domain in DNS now',
      access,
      audit: 'domain.checked',
      params: Id,
      reply: One,
      handle: async ({ act, params }) => ({
        data: describeDomain(await checkDomain(deps, act, await find(act, params.id))),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/sending_domains/:id/rotate_keys',
      operation: 'rotateSendingDomainKeys',
      summary: 'Make new DKIM keys, which sign once their records have been seen',
      access: { ...access, role: 'admin' },
      audit: 'domain.keys-rotated',
      params: Id,
      idempotent: true,
      reply: One,
      async handle({ act, params, idempotency: claim }) {
        const { domain } = await find(act, params.id);
        const pair = await preparePair(deps, act.customerId, domain);
        return inWork(act, async (work) => {
          await rotateKeys(work, await findDomain(work.tx, context(), act.customerId, params.id), pair);
          const rotated = await findDomain(work.tx, context(), act.customerId, params.id);
          const reply = { data: describeDomain(rotated) };
          await deps.idempotency.keepWith(work.tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
  ];
}
