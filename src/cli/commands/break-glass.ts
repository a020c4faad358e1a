import {
  endAccess,
  INSTALLATION,
  listGrants,
  makeBreakGlassCodes,
  recordAct,
  requireGrantCustomer,
  stateOf,
} from '../../accounts/index.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import { type Command, operatorAct, UsageError, withInstallation } from '../command.ts';
import { listed } from '../listed.ts';

export const breakGlassCodes: Command = {
  name: 'break-glass codes',
  usage: '',
  about: 'make ten codes that open emergency access without a second person, in place of those left; printed once',
  run: ({ config }) =>
    withInstallation(config, async ({ db, vault, clock }) => {
      const keys = await vault.of(INSTALLATION);
      const codes = await db.tenant([INSTALLATION], async (tx) => {
        const made = await makeBreakGlassCodes(tx, { clock, keys });
        const act = operatorAct(INSTALLATION, 'break-glass.codes-made');
        await recordAct(tx, clock, act, { details: { codes: made.length } });
        return made;
      });
      const text = `${codes.join('\n')}\nEach works once. They are not shown again: print them and lock them away.`;
      return { json: { codes }, text };
    }),
};

export const breakGlassList: Command = {
  name: 'break-glass list',
  usage: '',
  about: 'emergency access to customers, the latest first, without its reasons',
  run: ({ config }) =>
    withInstallation(config, async ({ db, clock }) => {
      const now = clock.now();
      const grants = await listGrants(db, { from: new Date(0), to: new Date(now.getTime() + 60_000) });
      const rows = grants.map((grant) => ({ ...grant, state: stateOf(grant, now) }));
      return listed(
        rows,
        ({ id, state, customerId, operatorEmail, askedAt, expiresAt }) =>
          `${id}\t${state}\tcustomer ${customerId}\t${operatorEmail}\tasked ${askedAt.toISOString()}\tuntil ${expiresAt?.toISOString() ?? '-'}`,
      );
    }),
};

export const breakGlassEnd: Command = {
  name: 'break-glass end',
  takes: 'ID',
  usage: '',
  about: 'end emergency access at once',
  run: ({ config, given: id }) => {
    if (!isUuid(id)) throw new UsageError('break-glass end takes the id of emergency access');
    return withInstallation(config, async (installation) => {
      const which = { customerId: await requireGrantCustomer(installation.db, id), grantId: canonicalUuid(id) };
      await endAccess(installation, operatorAct(INSTALLATION, 'break-glass.ended'), which, 'cli');
      return { json: { id, ended: true }, text: `Emergency access ${id} has ended.` };
    });
  },
};
