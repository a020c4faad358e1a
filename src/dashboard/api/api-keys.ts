import { type Static, Type } from 'typebox';
import {
  createApiKey,
  findOwnKey,
  type KeyDescription,
  listApiKeys,
  repeatedSecret,
  revokeApiKey,
  showApiKeyAgain,
} from '../../accounts/index.ts';
import { readDomainName } from '../../email/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { signedIn } from '../signed-in.ts';
import { Moment, MomentOrNull, momentOf, TextOrNull } from './reply-parts.ts';

const Mode = Type.Enum(['live', 'test']);
const Scopes = Type.Array(Type.Enum(['forms', 'email', 'marketing']), { minItems: 1, maxItems: 3, uniqueItems: true });
const Domains = Type.Array(Type.String(), {
  maxItems: 20,
  description: 'The only domains that it may send from; none for all of the customer',
});

const KeyReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'how the key begins' }),
  mode: Mode,
  scopes: Scopes,
  sending_domains: Domains,
  state: Type.Enum(['in_force', 'expired', 'revoked']),
  created_at: Moment,
  created_by: TextOrNull,
  expires_at: MomentOrNull,
  last_used_at: MomentOrNull,
  revoked_at: MomentOrNull,
});

/** The keys that programs call the API with. */
export function apiKeyEndpoints({ db, vault, clock, idempotency, requireOwn }: DashboardDeps): Endpoint[] {
  const describe = (key: KeyDescription): Static<typeof KeyReply> => ({
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    mode: key.mode,
    scopes: key.scopes,
    sending_domains: key.sendingDomains,
    state: stateOf(key, clock.now()),
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: momentOf(key.expiresAt),
    last_used_at: momentOf(key.lastUsedAt),
    revoked_at: momentOf(key.revokedAt),
  });
  return [
    endpoint({
      method: 'GET',
      path: '/api_keys',
      operation: 'listApiKeys',
      summary: 'The API keys, newest first, without their secrets',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: Type.Object({ data: Type.Array(KeyReply) }),
      handle: async ({ act }) => ({ data: (await listApiKeys({ db, clock }, act.customerId)).map(describe) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api_keys',
      operation: 'createApiKey',
      summary:
        'Make an API key; the reply is the only place where it is ever shown, also when it is asked for again by the same Idempotency-Key in the same session',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'key.created',
      status: 201,
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 100 }),
        mode: Mode,
        scopes: Scopes,
        sending_domains: Type.Optional(Domains),
        expires_at: Type.Optional(Type.Union([Moment, Type.Null()])),
      }),
      idempotent: true,
      reply: Type.Object({ id: Type.String({ format: 'uuid' }), key: Type.String() }),
      async handle({ act, caller, body, headers, idempotency: claim }) {
        const { person } = signedIn(caller);
        const name = body.name.trim();
        if (name === '') throw invalidField('name', 'must not be empty');
        const expiresAt = readMoment('expires_at', body.expires_at ?? undefined);
        if (expiresAt !== null && expiresAt <= clock.now()) throw invalidField('expires_at', 'must be in the future');
        const wanted = {
          name,
          mode: body.mode,
          scopes: body.scopes,
          sendingDomains: readDomains(body.sending_domains ?? []),
          expiresAt,
          createdBy: person.userId,
        };
        if (claim === null) return createApiKey({ db, clock }, act, wanted);
        const keys = await vault.of(act.customerId);
        return createApiKey({ db, clock }, act, wanted, {
          secretOf: (id) => repeatedSecret(keys, id, String(headers['idempotency-key'])),
          // Never the secret: what is kept sealed could still be opened, here and in every backup.
          writeWith: (tx, id) =>
            idempotency.keepWith(tx, claim, { status: 201, body: { id, session: person.sessionId } }),
        });
      },
      async answerAgain({ act, caller, headers }, kept) {
        const { id, session } = kept as { id: string; session: string };
        if (session !== signedIn(caller).person.sessionId)
          throw new AppError(
            'conflict',
            'This key was made before you signed in again: revoke it and make another one',
          );
        const secret = repeatedSecret(await vault.of(act.customerId), id, String(headers['idempotency-key']));
        return showApiKeyAgain({ db, clock }, { ...act, action: 'key.shown-again' }, id, secret);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api_keys/:id',
      operation: 'revokeApiKey',
      summary: 'End an API key; every node refuses it within five seconds',
      access: { scope: 'people', role: 'admin' },
      audit: 'key.revoked',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({}),
      async handle({ act, params }) {
        await revokeApiKey({ db, clock }, act, await findOwnKey({ db, requireOwn }, act.customerId, params.id));
        return {};
      },
    }),
  ];
}

function readDomains(names: string[]): string[] {
  return [...new Set(names.map((name) => readDomainName(name.trim(), 'sending_domains')))];
}

function stateOf({ revokedAt, expiresAt }: KeyDescription, now: Date): 'in_force' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'in_force';
}
