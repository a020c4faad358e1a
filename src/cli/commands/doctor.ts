import { CHECK_NAMES, examine, type Finding } from '../../operations/doctor/index.ts';
import { type Command, UsageError } from '../command.ts';

const WORDS = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ' };

export const doctor: Command = {
  name: 'doctor',
  usage: '[--only CHECK,…]',
  about: 'say what is wrong with this installation, and what to do about it',
  options: { only: { type: 'string' } },
  async run({ config, options }) {
    const findings = await examine(config, readOnly(options.only));
    return {
      json: { findings },
      text: findings.map(inWords).join('\n'),
      failed: findings.some(({ state }) => state === 'failed'),
    };
  },
};

function readOnly(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => CHECK_NAMES.includes(name)))
    throw new UsageError(`--only takes names of checks, separated by commas: ${CHECK_NAMES.join(', ')}`);
  return names;
}

function inWords({ state, check, found, todo }: Finding): string {
  const line = `${WORDS[state]}  ${check}: ${found}`;
  return todo === null ? line : `${line}\n         do: ${todo}`;
}
