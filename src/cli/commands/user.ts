import {
  createUser,
  endPerson,
  findUser,
  INSTALLATION,
  makeSetupLink,
  recordAct,
  resetFactors,
  type Who,
} from '../../accounts/index.ts';
import { setupUrl } from '../../dashboard/index.ts';
import type { Installation } from '../../installation.ts';
import { AppError } from '../../platform/errors.ts';
import {
  type Command,
  type Invocation,
  knownCustomer,
  operatorAct,
  required,
  UsageError,
  withInstallation,
} from '../command.ts';

const EMAIL = { email: { type: 'string' } } as const;

export const userCreate: Command = {
  name: 'user create',
  usage: '--customer ID --email E --role owner|admin|editor|reader, or --email E --role operator',
  about: 'make a user and print a setup link that works once',
  options: { customer: { type: 'string' }, role: { type: 'string' }, ...EMAIL },
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const wanted = { email: required(invocation, 'email'), role: required(invocation, 'role') };
      const customerId = await whoseUser(installation, invocation, wanted.role);
      const { id, setupToken } = await createUser(installation, operatorAct(customerId, 'user.created'), wanted);
      const url = setupUrl(installation.config, 'invitation', setupToken);
      return { json: { id, setup_url: url }, text: `User ${id}\nSetup link, works once within 7 days: ${url}` };
    }),
};

/** Operators belong to no customer, everybody else to one. */
async function whoseUser(installation: Installation, invocation: Invocation, role: string): Promise<number> {
  if (role !== 'operator') return knownCustomer(installation, invocation);
  if (invocation.options.customer !== undefined)
    throw new UsageError('--customer goes with other roles: operators are of the whole installation');
  return INSTALLATION;
}

export const userLink: Command = {
  name: 'user link',
  usage: '--email E',
  about: 'print a link for a new password, for where no mail arrives',
  options: EMAIL,
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { db, clock, config } = installation;
      const { who, isNew } = await knownUser(installation, invocation);
      const kind = isNew ? 'invitation' : 'reset';
      const token = await db.tenant([who.customerId], async (tx) => {
        await recordAct(tx, clock, operatorAct(who.customerId, 'user.link-made'), { target: who.userId });
        return makeSetupLink(tx, clock, who, kind);
      });
      const url = setupUrl(config, kind, token);
      return { json: { id: who.userId, url }, text: `Link, works once within ${isNew ? '7 days' : 'an hour'}: ${url}` };
    }),
};

export const userEnd: Command = {
  name: 'user end',
  usage: '--email E',
  about: 'remove a person: their sessions and keys end everywhere within five seconds',
  options: EMAIL,
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { who } = await knownUser(installation, invocation);
      await endPerson(installation, operatorAct(who.customerId, 'user.removed'), who.userId);
      return { json: { id: who.userId, removed: true }, text: `User ${who.userId} is removed` };
    }),
};

export const userResetFactors: Command = {
  name: 'user reset-factors',
  usage: '--email E',
  about: 'forget the second factors of a person, who then sets up new ones; check who asks for it',
  options: EMAIL,
  run: (invocation) =>
    withInstallation(invocation.config, async (installation) => {
      const { who } = await knownUser(installation, invocation);
      await resetFactors(installation, operatorAct(who.customerId, 'user.factors-reset'), who.userId);
      return {
        json: { id: who.userId, reset: true },
        text: `User ${who.userId} sets up a new second factor at the next sign-in`,
      };
    }),
};

/** The person that --email names, and whether they have yet to come. */
async function knownUser({ db }: Installation, invocation: Invocation): Promise<{ who: Who; isNew: boolean }> {
  const user = await findUser(db, required(invocation, 'email'));
  if (user === null || user.disabled_at !== null) throw new AppError('not_found', 'No such user');
  return { who: { customerId: user.customer_id, userId: user.id }, isNew: user.password_hash === null };
}
