import { createApiKey, findKeyOwner, listApiKeys, revokeApiKey } from '../accounts/index.ts';
import type { Scope } from '../platform/http/access.ts';
import {
  type Command,
  customerOption,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from './command.ts';

const SCOPES: Scope[] = ['forms', 'email', 'marketing'];

export const keyCreate: Command = {
  name: 'key create',
  usage: '--customer ID --scopes forms,email,marketing [--expires YYYY-MM-DD] [--name N] [--test]',
  about: 'make an API key; it is printed once',
  options: {
    customer: { type: 'string' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
    name: { type: 'string' },
    test: { type: 'boolean' },
  },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const customerId = await knownCustomer(installation, invocation);
      const { id, key } = await createApiKey(installation, operatorAct(customerId, 'key.created'), {
        name: invocation.options.name ?? 'made on the command line',
        mode: invocation.flags.has('test') ? 'test' : 'live',
        scopes: scopesOf(invocation),
        expiresAt: expiryOf(invocation),
      });
      return { json: { id, key }, text: `Key ${id}\n${key}\nIt is not shown again.` };
    }),
};

export const keyList: Command = {
  name: 'key list',
  usage: '--customer ID',
  about: 'the keys of a customer, without their secrets',
  options: { customer: { type: 'string' } },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const keys = await listApiKeys(installation, customerOption(invocation));
      const lines = keys.map(
        (key) =>
          `${key.id}\t${key.prefix}…\t${key.scopes.join(',')}\t${key.revokedAt === null ? 'in force' : 'revoked'}\t${key.name}`,
      );
      return { json: { data: keys }, text: lines.join('\n') };
    }),
};

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'ID',
  about: 'end a key; every node refuses it within 5 seconds',
  run: ({ config, positionals: [id] }) => {
    if (id === undefined) throw new UsageError('key revoke takes the id of a key');
    return withInstallation(config, async (installation) => {
      const customerId = await findKeyOwner(installation.db, id);
      await revokeApiKey(installation, operatorAct(customerId, 'key.revoked'), id);
      return { json: { id, revoked: true }, text: `Key ${id} is revoked.` };
    });
  },
};

function scopesOf(invocation: Invocation): Scope[] {
  const scopes = required(invocation, 'scopes')
    .split(',')
    .map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined) throw new UsageError(`--scopes takes some of ${SCOPES.join(',')}`);
  return [...new Set(scopes as Scope[])];
}

function expiryOf({ options }: Invocation): Date | null {
  if (options.expires === undefined) return null;
  const date = new Date(options.expires);
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires takes a date such as 2027-01-31');
  return date;
}
