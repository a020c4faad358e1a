import { randomUUID } from 'node:crypto';
import { createUser, hashPassword, INSTALLATION, setPassword } from '../../src/accounts/index.ts';
import type { Role } from '../../src/platform/http/access.ts';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { codeOf } from '../support/people-session.ts';

export const PASSWORD = 'seven quiet lanterns float';

/** Somebody at a browser: keeps cookies, and sends the token that goes with them. */
export interface Visitor {
  cookies: Map<string, string>;
  csrf: string | null;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
}

/** Opens a browser that has been nowhere yet. */
export function openBrowser(app: TestApp, { api = '/app/api' } = {}): Visitor {
  const visitor: Visitor = {
    cookies: new Map(),
    csrf: null,
    async ask(method, path, body, headers = {}) {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const url = path.startsWith('/v1') ? path : `${api}${path}`;
      const reply = await app.request(method, url, {
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(visitor.csrf === null || method === 'GET' ? {} : { 'x-csrf-token': visitor.csrf }),
          ...headers,
        },
      });
      for (const line of reply.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const [name = '', value = ''] = pair.split('=');
        if (/Max-Age=0/.test(line)) visitor.cookies.delete(name);
        else visitor.cookies.set(name, value);
      }
      if (typeof reply.body?.csrf === 'string') visitor.csrf = reply.body.csrf;
      return reply;
    },
  };
  return visitor;
}

export interface Account {
  email: string;
  userId: string;
  customerId: number;
}

/** Makes somebody with a password and nothing else. */
export async function addAccount(
  app: TestApp,
  customer: Pick<TestCustomer, 'id'> | null,
  role: Role,
): Promise<Account> {
  const customerId = customer?.id ?? INSTALLATION;
  const email = `${role}-${randomUUID()}@example.org`;
  const { id: userId } = await createUser(app.installation, app.act(customerId, 'user.created'), { email, role });
  const hash = await hashPassword(PASSWORD);
  await app.installation.db.tenant([customerId], (tx) => setPassword(tx, { customerId, userId }, hash));
  return { email, userId, customerId };
}

/** Enrols an authenticator app in a browser where the password was shown; answers its secret and the recovery codes. */
export async function enrol(
  app: TestApp,
  visitor: Visitor,
): Promise<{ secret: string; codes: string[]; reply: Reply }> {
  const { body } = await visitor.ask('POST', '/factors/totp');
  const code = codeOf(body.secret, app.installation.clock.now());
  const reply = await visitor.ask('POST', '/factors/totp/confirm', { code });
  return { secret: body.secret, codes: reply.body.recovery_codes, reply };
}

/** Somebody with an authenticator app, and a browser in which they are signed in. */
export async function openAccount(app: TestApp, customer: Pick<TestCustomer, 'id'> | null, role: Role) {
  const account = await addAccount(app, customer, role);
  const visitor = openBrowser(app);
  await visitor.ask('POST', '/sign_in', { email: account.email, password: PASSWORD });
  const { secret, codes } = await enrol(app, visitor);
  return { ...account, visitor, secret, codes };
}
