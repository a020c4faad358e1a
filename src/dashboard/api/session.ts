import { type Static, Type } from 'typebox';
import {
  customerName,
  endSession,
  factorsIn,
  findOpenGrant,
  IDLE_MS,
  methodsOf,
  readName,
  recordAct,
  rename,
} from '../../accounts/index.ts';
import { type Endpoint, endpoint, publicEndpoint } from '../../platform/http/endpoint.ts';
import { endedCookie, type FoundSession, readSessionToken } from '../../platform/http/sessions.ts';
import type { DashboardDeps } from '../deps.ts';
import { signedIn, whoOf } from '../signed-in.ts';
import { MomentOrNull, momentOf, TextOrNull } from './reply-parts.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

const SessionReply = Type.Object({
  state: Type.Enum(['signed-out', 'enrol', 'factor', 'open']),
  user: orNull(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      role: Type.Enum(['reader', 'editor', 'admin', 'owner', 'operator']),
    }),
  ),
  customer: orNull(Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String() })),
  csrf: TextOrNull,
  methods: orNull(Type.Object({ totp: Type.Boolean(), passkeys: Type.Integer(), recovery_codes: Type.Integer() })),
  fresh_until: MomentOrNull,
  idle_seconds: Type.Integer(),
  delivery: Type.Enum(['sandbox', 'direct', 'relay']),
  public_url: Type.String(),
  version: Type.String(),
  agreement_in_force: orNull(Type.Boolean()),
  emergency: orNull(
    Type.Object({ grant_id: Type.String(), until: Type.String({ format: 'date-time' }), acting: Type.Boolean() }),
  ),
});

/** Who is signed in here, and how that ends. */
export function sessionEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock, sessions, publicUrl, delivery, version } = deps;
  const always = { idle_seconds: IDLE_MS / 1000, delivery, public_url: publicUrl, version };
  return [
    publicEndpoint({
      method: 'GET',
      path: '/session',
      operation: 'readSession',
      summary: 'Who is signed in; asking does not prolong the session',
      access: 'public',
      audit: null,
      reply: SessionReply,
      async handle({ headers }) {
        const token = readSessionToken(headers.cookie, publicUrl);
        const found = token === null ? null : await sessions.find(token, { background: true });
        return { ...(found === null ? SIGNED_OUT : await describe(deps, found)), ...always };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/sign_out',
      operation: 'signOut',
      summary: 'End this session',
      access: { scope: 'people', role: 'any', unproven: true },
      audit: 'session.signed-out',
      reply: Type.Object({}),
      async handle({ caller, act, setHeader }) {
        const person = signedIn(caller);
        await db.tenant([person.customerId], async (tx) => {
          await endSession(tx, clock, whoOf(person), person.person.sessionId);
          await recordAct(tx, clock, act, { target: person.person.sessionId });
        });
        sessions.forget(person.person.userId);
        setHeader('set-cookie', endedCookie(publicUrl));
        setHeader('clear-site-data', '"cache", "storage"');
        return {};
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/me',
      operation: 'updateMe',
      summary: 'Change what you are called',
      access: { scope: 'people', role: 'any' },
      audit: 'user.renamed',
      body: Type.Object({ name: Type.String({ maxLength: 100 }) }),
      reply: Type.Object({ name: Type.String() }),
      async handle({ caller, act, body }) {
        const person = signedIn(caller);
        const name = readName('name', body.name);
        await db.tenant([person.customerId], async (tx) => {
          await rename(tx, whoOf(person), name);
          await recordAct(tx, clock, act, { target: person.person.userId });
        });
        return { name };
      },
    }),
  ];
}

type Described = Omit<Static<typeof SessionReply>, 'idle_seconds' | 'delivery' | 'public_url' | 'version'>;

const SIGNED_OUT: Described = {
  state: 'signed-out',
  user: null,
  customer: null,
  csrf: null,
  methods: null,
  fresh_until: null,
  agreement_in_force: null,
  emergency: null,
};

async function describe(deps: DashboardDeps, found: FoundSession): Promise<Described> {
  const { emergency } = found.caller.person;
  const described = await describeOwn(deps, found);
  if (emergency === undefined || emergency.until <= deps.clock.now() || described.user === null) return described;
  const { customerId, grantId, until, agreementInForce } = emergency;
  const name = await deps.db.tenant([customerId], (tx) => customerName(tx, customerId));
  return {
    ...described,
    // The pages that an editor finds are those that show what there is to read.
    user: { ...described.user, role: 'editor' },
    customer: { id: customerId, name, username: emergency.username },
    agreement_in_force: agreementInForce,
    emergency: { grant_id: grantId, until: until.toISOString(), acting: true },
  };
}

async function describeOwn({ db, clock }: DashboardDeps, { caller, csrf }: FoundSession): Promise<Described> {
  const { customerId, person, agreementInForce } = caller;
  const { user, customer, methods, open } = await db.tenant([customerId], async (tx) => ({
    user: await tx
      .selectFrom('users')
      .select(['id', 'email', 'name', 'role'])
      .where('customer_id', '=', customerId)
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow(),
    customer: await tx
      .selectFrom('customers')
      .select(['id', 'name', 'username'])
      .where('id', '=', customerId)
      .executeTakeFirst(),
    methods: await methodsOf(tx, whoOf(caller)),
    open: await findOpenGrant(tx, clock, customerId),
  }));
  const before = factorsIn(methods) > 0 ? 'factor' : 'enrol';
  return {
    state: person.factorShown ? 'open' : before,
    user,
    // Before the second factor is shown, nothing is told but what the page needs to ask for it.
    customer: person.factorShown ? (customer ?? null) : null,
    csrf,
    methods,
    fresh_until: momentOf(person.freshUntil),
    agreement_in_force: person.factorShown && customer !== undefined ? agreementInForce : null,
    emergency:
      open === null || !person.factorShown
        ? null
        : { grant_id: open.id, until: open.until.toISOString(), acting: false },
  };
}
