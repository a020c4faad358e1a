import { version } from '../../version.ts';
import type { Command } from '../command.ts';

export const versionCommand: Command = {
  name: 'version',
  usage: '',
  about: 'print the version of the product, as --version does',
  run: async () => ({ json: { version }, text: version }),
};
