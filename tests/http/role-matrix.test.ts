import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import type { Role } from '../../src/platform/http/access.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';
import type { Least } from './role-matrix/least.ts';
import { ROLE_MATRIX } from './role-matrix.ts';

interface Operation {
  id: string;
  method: string;
  path: string;
  isPublic: boolean;
}

const ROLES: Role[] = ['reader', 'editor', 'admin', 'owner'];
/** What ends the session that calls it. */
const LAST_CALLS = new Set(['signOut']);
const TEN_MINUTES = 10 * 60_000;

let app: TestApp;
let customer: TestCustomer;
let operations: Operation[];
/** One of each role who has shown the second factor just now, and one who has not for ten minutes. */
let fresh: Record<Role, SignedIn>;
let stale: Record<Role, SignedIn>;

async function signInEach(): Promise<Record<Role, SignedIn>> {
  const people: Partial<Record<Role, SignedIn>> = {};
  for (const role of ROLES) people[role] = await signIn(app, customer, role);
  people.operator = await signIn(app, null, 'operator');
  return people as Record<Role, SignedIn>;
}

before(async (context) => {
  const clock = createMovableClock();
  app = await startApp(context as TestContext, { clock });
  customer = await app.createCustomer();
  stale = await signInEach();
  clock.advance(TEN_MINUTES);
  fresh = await signInEach();
  const { body } = await app.request('GET', '/openapi.json');
  const paths = body.paths as Record<string, Record<string, { operationId: string; security?: unknown }>>;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      isPublic: security === undefined,
    })),
  );
});

/** Calls an operation with nothing that it could work on: who may call it is told before anything else. */
async function call({ id, method, path }: Operation, person: SignedIn): Promise<Reply> {
  const caller = LAST_CALLS.has(id)
    ? await signIn(app, roleOf(person) === 'operator' ? null : customer, roleOf(person))
    : person;
  const address = path.replaceAll('{username}', customer.username).replace(/\{\w+\}/g, randomUUID());
  return caller.request(method, address, method === 'GET' ? {} : { body: {} });
}

function roleOf(person: SignedIn): Role {
  return person.email.split('-')[0] as Role;
}

function isRefusedByRole({ status, text }: Reply): boolean {
  return status === 403 && text.includes('Your role does not allow this');
}

function asksForFactor({ status, headers }: Reply): boolean {
  return status === 403 && headers.get('step-up') === 'required';
}

function guarded(): (Operation & Least)[] {
  return operations
    .filter(({ isPublic }) => !isPublic)
    .map((operation) => ({
      ...operation,
      ...(ROLE_MATRIX[operation.id] ?? assert.fail(`${operation.id} has no line`)),
    }));
}

test('every operation has its line, and no line is left over', () => {
  const listed = operations.filter(({ isPublic }) => !isPublic).map(({ id }) => id);
  assert.deepEqual(Object.keys(ROLE_MATRIX).toSorted(), listed.toSorted());
});

test('a role below the least is refused, and the least is not', async () => {
  for (const operation of guarded()) {
    const { id, role } = operation;
    const least = role === 'any' ? 'reader' : role;
    const allowed = await call(operation, fresh[least]);
    assert.ok(!isRefusedByRole(allowed) && !asksForFactor(allowed) && allowed.status !== 401, `${id}: ${allowed.text}`);
    const below = role === 'operator' ? 'owner' : ROLES[ROLES.indexOf(least) - 1];
    if (below !== undefined) assert.ok(isRefusedByRole(await call(operation, fresh[below])), `${id} by ${below}`);
  }
});

test('what takes a second factor of late is refused without, and nothing else is', async () => {
  for (const operation of guarded()) {
    const { id, role, fresh: isAsked = false } = operation;
    const reply = await call(operation, stale[role === 'any' ? 'reader' : role]);
    assert.equal(asksForFactor(reply), isAsked, `${id} answers ${reply.status}`);
  }
});

test('an operator reaches nothing of a customer', async () => {
  for (const operation of guarded()) {
    const isOpen = operation.role === 'any' || operation.role === 'operator';
    const reply = await call(operation, fresh.operator);
    assert.equal(isRefusedByRole(reply), !isOpen, `${operation.id} answers ${reply.status}`);
    if (operation.path.startsWith('/v1')) assert.ok(!isOpen, operation.id);
  }
});
