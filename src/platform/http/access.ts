import { AppError } from '../errors.ts';

export type Scope = 'forms' | 'email' | 'marketing';

/** Whoever holds a valid key. */
export interface Caller {
  customerId: number;
  username: string;
  keyId: string;
  mode: 'live' | 'test';
  scopes: ReadonlySet<Scope>;
  agreementInForce: boolean;
}

/** Finds the caller of a key; answers at once where it is known already. */
export interface Authenticator {
  find(key: string): Caller | null | Promise<Caller | null>;
}

/** What a route asks of a key: a scope, or any; `phi` where an agreement must be in force as well. */
export interface Access {
  scope: Scope | 'any';
  phi?: true;
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

/** Throws unless the caller may use a route; a wrong scope or username looks like a wrong key. */
export function authorize(caller: Caller | null, access: Access, username: string | undefined): Caller {
  const known = caller !== null && (access.scope === 'any' || caller.scopes.has(access.scope));
  if (!known || (username !== undefined && username !== caller.username)) {
    const lacking = access.scope === 'any' ? 'or invalid' : `invalid, or without scope ${access.scope}`;
    throw new AppError('invalid_access_token', `The API key is missing, ${lacking}`);
  }
  if (access.phi === true && !caller.agreementInForce) {
    throw new AppError('agreement_missing', 'No business associate agreement is in force for this customer');
  }
  return caller;
}
