import { type Command, withInstallation } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'bring the database up to date; serve does the same when it starts',
  run: ({ config }) =>
    withInstallation(config, async () => ({ json: { migrated: true }, text: 'The database is up to date.' })),
};
