#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { agreementEnd, agreementRecord } from './cli/agreement.ts';
import { auditVerify } from './cli/audit.ts';
import type { Command } from './cli/command.ts';
import { customerCreate, customerList } from './cli/customer.ts';
import { doctor } from './cli/doctor.ts';
import { formCreate } from './cli/form.ts';
import { keyCreate, keyList, keyRevoke } from './cli/key.ts';
import { migrateCommand } from './cli/migrate.ts';
import { openapi } from './cli/openapi.ts';
import { serve } from './cli/serve.ts';
import { userCreate } from './cli/user.ts';
import { vaultDestroy, vaultRotate } from './cli/vault.ts';
import { readConfig, readEnvironment } from './config.ts';

const COMMANDS: Command[] = [
  serve,
  customerCreate,
  customerList,
  userCreate,
  keyCreate,
  keyList,
  keyRevoke,
  agreementRecord,
  agreementEnd,
  formCreate,
  migrateCommand,
  doctor,
  openapi,
  auditVerify,
  vaultRotate,
  vaultDestroy,
];

async function main(args: string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word));
  if (command === undefined) {
    const asked = args.length === 0 || args[0] === '--help' || args[0] === 'help';
    (asked ? process.stdout : process.stderr).write(asked ? help() : `No such command. ${help()}`);
    return asked ? 0 : 2;
  }
  const { values, positionals } = parseArgs({
    args: args.slice(command.name.split(' ').length),
    options: { ...command.options, json: { type: 'boolean' } },
    allowPositionals: true,
  });
  const entries = Object.entries(values as Record<string, string | boolean | undefined>);
  const output = await command.run({
    config: readConfig(readEnvironment()),
    options: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
    flags: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    positionals,
  });
  if (output === null) return 0;
  process.stdout.write(`${values.json === true ? JSON.stringify(output.json) : output.text}\n`);
  return output.failed === true ? 1 : 0;
}

function help(): string {
  const lines = COMMANDS.map(({ name, usage, about }) => `  carepost ${`${name} ${usage}`.trim()}\n      ${about}\n`);
  return `Usage, each with --json for one JSON object:\n\n${lines.join('')}`;
}

/** What is wrong, in one line for each mistake. */
function explain(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error };
  return cause === undefined ? message : `${message}: ${cause.message}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`carepost: ${explain(error)}\n`);
  process.exitCode = 1;
}
