import { AppError } from '../errors.ts';

export type Scope = 'forms' | 'email' | 'marketing';

/** What a person may do in the dashboard; `operator` runs the server, belongs to no customer and sees no health data. */
export type Role = 'reader' | 'editor' | 'admin' | 'owner' | 'operator';

/** Whoever calls by a session of the dashboard. */
export interface Person {
  userId: string;
  sessionId: string;
  role: Role;
  /** Whether the second factor was shown in this session. */
  factorShown: boolean;
  /** Until when the second factor counts as just shown. */
  freshUntil: Date | null;
  /** Whom an operator may read in an emergency, and until when. */
  emergency?: Emergency;
  /** Set where somebody reads by such a grant. */
  grantId?: string;
}

/** A customer that is open to an operator for a while. */
export interface Emergency {
  grantId: string;
  customerId: number;
  username: string;
  agreementInForce: boolean;
  until: Date;
}

interface Identified {
  customerId: number;
  username: string;
  mode: 'live' | 'test';
  scopes: ReadonlySet<Scope>;
  agreementInForce: boolean;
}

/** Whoever holds a valid key. */
export interface KeyCaller extends Identified {
  keyId: string;
  person: null;
  /** The only domains that it may send from; all of the customer's where none is named. */
  sendingDomains: readonly string[];
}

/** Whoever has a session of the dashboard. */
export interface PersonCaller extends Identified {
  keyId: null;
  person: Person;
}

export type Caller = KeyCaller | PersonCaller;

/** Finds the caller of a key; answers at once where it is known already. */
export interface Authenticator {
  find(key: string): KeyCaller | null | Promise<KeyCaller | null>;
}

/** What a route asks of its callers. */
export interface Access {
  /** The scope that a key needs, or any; no key at all opens what is for people alone. */
  scope: Scope | 'any' | 'people';
  /** Whether an agreement must be in force, since health data is taken in. */
  phi?: true;
  /** The least a person must be. Where nothing is said: a reader to read what is not audited, an editor for the rest. */
  role?: Role | 'any';
  /** Whether a person must have shown the second factor within the last minutes. */
  fresh?: true;
  /** Whether a person may call it before the second factor was shown at all. */
  unproven?: true;
}

export type HeaderForm = 'bearer' | 'token';

const FORMS: Record<HeaderForm, RegExp> = {
  bearer: /^Bearer +([^\s"]+) *$/i,
  token: /^Token +token="?([^\s"]+)"? *$/i,
};

/** The key in an Authorization header, in one of the forms that an area accepts. */
export function readKey(header: string | undefined, forms: readonly HeaderForm[]): string | null {
  if (header === undefined) return null;
  for (const form of forms) {
    const match = FORMS[form].exec(header);
    if (match !== null) return match[1] as string;
  }
  return null;
}

interface Asked {
  access: Access;
  method: string;
  audit: string | null;
}

const RANK = { reader: 0, editor: 1, admin: 2, owner: 3 };

/** The least a person must be for an endpoint: a reader to read what is not audited, an editor for the rest. */
function leastRole({ access, method, audit }: Asked): Role | 'any' {
  return access.role ?? (method === 'GET' && audit === null ? 'reader' : 'editor');
}

/** Throws unless the caller may use a route; a wrong scope or username looks like a wrong key. */
export function authorize(
  found: Caller | null,
  asked: Asked,
  { username, now }: { username: string | undefined; now: Date },
): Caller {
  const { access } = asked;
  const caller = inPlaceOf(found, access, now);
  if (caller === null || !opens(caller, access) || (username !== undefined && username !== caller.username)) {
    throw refusalOf(access);
  }
  if (caller.person !== null) requirePerson(caller.person, asked, now);
  if (access.phi === true && !caller.agreementInForce) {
    throw new AppError('agreement_missing', 'No business associate agreement is in force for this customer');
  }
  return caller;
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['forms', 'email', 'marketing']);

/** In an emergency an operator stands in the place of one who reads; what is the operator's own stays so. */
function inPlaceOf(caller: Caller | null, { role }: Access, now: Date): Caller | null {
  if (caller === null || caller.person === null) return caller;
  const { emergency } = caller.person;
  if (emergency === undefined || emergency.until <= now) return caller;
  if (role === 'operator' || role === 'any') return caller;
  const { customerId, username, agreementInForce, grantId } = emergency;
  const person: Person = { ...caller.person, role: 'reader', grantId };
  return { ...caller, customerId, username, agreementInForce, person, scopes: ALL_SCOPES };
}

function opens({ person, scopes }: Caller, { scope, unproven }: Access): boolean {
  if (person !== null) return person.factorShown || unproven === true;
  return scope === 'any' || (scope !== 'people' && scopes.has(scope));
}

function refusalOf({ scope }: Access): AppError {
  if (scope === 'people') return new AppError('signed_out');
  const lacking = scope === 'any' ? 'or invalid' : `invalid, or without scope ${scope}`;
  return new AppError('invalid_access_token', `The API key is missing, ${lacking}`);
}

/** For what a part of a call asks of a person beyond the rest of it; a key has neither a role nor a factor. */
export function requireFreshAdmin({ person }: Caller, now: Date): void {
  if (person === null) return;
  requireRole(person, 'admin');
  requireFresh(person, now);
}

function requirePerson(person: Person, asked: Asked, now: Date): void {
  if (person.grantId !== undefined) return requireReading(asked);
  requireRole(person, leastRole(asked));
  if (asked.access.fresh === true) requireFresh(person, now);
}

function requireRole({ role }: Person, least: Role | 'any'): void {
  if (!mayAct(role, least)) throw new AppError('forbidden', 'Your role does not allow this');
}

function requireFresh({ freshUntil }: Person, now: Date): void {
  if (freshUntil !== null && freshUntil > now) return;
  throw new AppError('step_up_required', 'Show your second factor again to do this');
}

/** Emergency access reads what an editor reads, changes nothing, sends nothing and takes no files out. */
function requireReading(asked: Asked): void {
  const least = leastRole(asked);
  const { fresh, phi } = asked.access;
  const isReading = asked.method === 'GET' && fresh !== true && phi !== true;
  if (isReading && (least === 'reader' || least === 'editor')) return;
  throw new AppError('forbidden', 'Emergency access reads and does nothing else');
}

function mayAct(role: Role, least: Role | 'any'): boolean {
  if (least === 'any') return true;
  if (role === 'operator' || least === 'operator') return role === least;
  return RANK[role] >= RANK[least];
}
