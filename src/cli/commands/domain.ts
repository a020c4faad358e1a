import { INSTALLATION } from '../../accounts/index.ts';
import {
  addDomain,
  askAnew,
  type CheckDeps,
  checkDomain,
  findDomainNamed,
  listDomains,
  preparePair,
  readDomainName,
  rotateKeys,
  type SendingDomain,
} from '../../email/index.ts';
import type { Installation } from '../../installation.ts';
import type { Act } from '../../platform/act.ts';
import { AppError } from '../../platform/errors.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  type Output,
  operatorAct,
  required,
  withInstallation,
} from '../command.ts';
import { listed } from '../listed.ts';

const options = { customer: { type: 'string' } } as const;

export const domainAdd: Command = {
  name: 'domain add',
  takes: 'DOMAIN',
  usage: '--customer ID',
  about: 'add a domain to send from and print its DNS records; customer 0 is the product itself',
  options,
  run: (invocation) =>
    onDomains(invocation, 'domain.added', async ({ installation, deps, act }) => {
      const name = readDomainName(invocation.given);
      const pair = await preparePair(installation, act.customerId, name);
      const { db, clock } = installation;
      const context = { now: clock.now(), returnPathDomain: deps.returnPathDomain };
      return db.tenant([act.customerId], async (tx) => [await addDomain({ tx, clock, act }, context, name, pair)]);
    }),
};

export const domainCheck: Command = {
  name: 'domain check',
  takes: '[DOMAIN]',
  usage: '--customer ID',
  about: 'look for the DNS records of a domain, or of all domains of a customer',
  options,
  run: (invocation) =>
    onDomains(invocation, 'domain.checked', async ({ deps, act, find }) => {
      const domains = await find(invocation.given !== '');
      return Promise.all(domains.map((domain) => checkDomain(deps, act, domain)));
    }),
};

export const domainList: Command = {
  name: 'domain list',
  usage: '--customer ID',
  about: 'list the domains of a customer and their DNS records',
  options,
  run: (invocation) => onDomains(invocation, 'domain.listed', ({ find }) => find(false)),
};

export const domainRotate: Command = {
  name: 'domain rotate',
  takes: 'DOMAIN',
  usage: '--customer ID',
  about: 'make new DKIM keys for a domain, which sign once their records have been seen',
  options,
  run: (invocation) =>
    onDomains(invocation, 'domain.keys-rotated', async ({ installation, act, find }) => {
      const { db, clock } = installation;
      const [domain] = await find(true);
      const pair = await preparePair(installation, act.customerId, readDomainName(invocation.given));
      await db.tenant([act.customerId], (tx) => rotateKeys({ tx, clock, act }, domain as SendingDomain, pair));
      return find(true);
    }),
};

interface Parts {
  installation: Installation;
  deps: CheckDeps;
  act: Act;
  /** The domains of the customer: the one that is named, or all. */
  find(named: boolean): Promise<SendingDomain[]>;
}

async function onDomains(
  invocation: Invocation,
  action: string,
  work: (parts: Parts) => Promise<SendingDomain[]>,
): Promise<Output> {
  return withInstallation(invocation.config, async (installation) => {
    const { db, clock, config } = installation;
    const customerId =
      required(invocation, 'customer') === String(INSTALLATION)
        ? INSTALLATION
        : await knownCustomer(installation, invocation);
    const deps = { db, clock, dns: askAnew(config.dnsServers, clock), returnPathDomain: config.returnPathDomain };
    const find = (named: boolean) =>
      db.tenant([customerId], async (tx) => {
        const context = { now: clock.now(), returnPathDomain: config.returnPathDomain };
        if (!named) return listDomains(tx, context, customerId);
        const found = await findDomainNamed(tx, context, customerId, readDomainName(invocation.given));
        if (found === null) throw new AppError('not_found', 'The customer has no such sending domain');
        return [found];
      });
    const domains = await work({ installation, deps, act: operatorAct(customerId, action), find });
    return listed(domains.map(describe), linesOf, '\n\n');
  });
}

function describe({ id, domain, state, records, checked_at: checkedAt, warm_up: warmUp }: SendingDomain) {
  return { id, domain, state, checkedAt, warmUp, records };
}

function linesOf({ domain, state, records }: ReturnType<typeof describe>): string {
  const lines = records.map(
    (each) => `  ${each.status}, ${needOf(each)}\n    ${each.type}  ${each.name}\n    ${each.value}`,
  );
  return [`${domain}  ${state}`, ...lines].join('\n');
}

function needOf({ required: isRequired, key, removableAfter }: SendingDomain['records'][number]): string {
  if (removableAfter !== null) return `may be removed after ${removableAfter.toISOString().slice(0, 10)}`;
  if (isRequired) return 'required';
  return key === 'pending' ? 'signs once it is found' : 'recommended';
}
