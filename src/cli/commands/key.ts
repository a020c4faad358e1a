import { createApiKey, findKeyOwner, listApiKeys, revokeApiKey } from '../../accounts/index.ts';
import { readDomainName } from '../../email/index.ts';
import type { Installation } from '../../installation.ts';
import type { Scope } from '../../platform/http/access.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';
import { listed } from '../listed.ts';
import { readDay } from '../read-time.ts';

const SCOPES: Scope[] = ['forms', 'email', 'marketing'];

export const keyCreate: Command = {
  name: 'key create',
  usage:
    '--customer ID --scopes forms,email,marketing [--domains example.org,…] [--expires YYYY-MM-DD] [--name N] [--test]',
  about: 'make an API key; it is printed once',
  options: {
    customer: { type: 'string' },
    scopes: { type: 'string' },
    domains: { type: 'string' },
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
        sendingDomains: domainsOf(invocation),
        expiresAt: expiryOf(installation, invocation),
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
      const keys = await listApiKeys(installation, await knownCustomer(installation, invocation));
      return listed(keys, ({ id, prefix, scopes, sendingDomains, revokedAt, name }) =>
        [
          id,
          `${prefix}…`,
          scopes.join(','),
          revokedAt === null ? 'in force' : 'revoked',
          name,
          sendingDomains.join(',') || 'any domain',
        ].join('\t'),
      );
    }),
};

export const keyRevoke: Command = {
  name: 'key revoke',
  takes: 'ID',
  usage: '',
  about: 'end a key; every node refuses it within 5 seconds',
  run: ({ config, given: id }) =>
    withInstallation(config, async (installation) => {
      const customerId = await findKeyOwner(installation.db, id);
      await revokeApiKey(installation, operatorAct(customerId, 'key.revoked'), id);
      return { json: { id, revoked: true }, text: `Key ${id} is revoked.` };
    }),
};

function expiryOf({ clock }: Installation, invocation: Invocation): Date | null {
  if (invocation.options.expires === undefined) return null;
  const expiry = readDay(invocation, 'expires');
  if (expiry <= clock.now()) throw new UsageError('--expires takes a day that is yet to begin');
  return expiry;
}

function scopesOf(invocation: Invocation): Scope[] {
  const scopes = required(invocation, 'scopes')
    .split(',')
    .map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined) throw new UsageError(`--scopes takes some of ${SCOPES.join(',')}`);
  return [...new Set(scopes as Scope[])];
}

function domainsOf({ options: { domains } }: Invocation): string[] {
  if (domains === undefined) return [];
  const named = domains.split(',').flatMap((domain) => domain.trim() || []);
  if (named.length === 0) throw new UsageError('--domains takes domains such as example.org'); // none would be all
  return [...new Set(named.map((domain) => readDomainName(domain, '--domains')))];
}
