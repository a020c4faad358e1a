import { migrate, pendingMigrations } from '../../platform/db/migrate.ts';
import { type Command, UsageError, withDatabaseAsIs, withInstallation } from '../command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--check | --force]',
  about:
    'bring the database up to date, as serve does when it starts; --check only says what is to be done, --force does it under nodes of the version before too',
  options: { check: { type: 'boolean' }, force: { type: 'boolean' } },
  async run({ config, flags }) {
    if (flags.has('check') && flags.has('force')) throw new UsageError('migrate takes one of --check and --force');
    const setsUp = !flags.has('check');
    const pending = await withDatabaseAsIs(config, pendingMigrations, { setsUp });
    const lines = pending.map(
      ({ name, beside }) => `  ${name}${beside ? '' : '  (not beside the version before: stop its nodes first)'}`,
    );
    if (flags.has('check')) {
      const text = pending.length === 0 ? 'The database is up to date.' : ['To be applied:', ...lines].join('\n');
      return { json: { pending }, text, failed: pending.length > 0 };
    }
    if (pending.length > 0 && !flags.has('json')) process.stdout.write(`${['Applying:', ...lines].join('\n')}\n`);
    if (flags.has('force')) await withDatabaseAsIs(config, (url) => migrate(url, { force: true }), { setsUp });
    const json = { migrated: true, applied: pending.map(({ name }) => name) };
    const text = 'The database is up to date.';
    return withInstallation(config, async () => ({ json, text }), { upgrades: true });
  },
};
