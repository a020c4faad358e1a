import { userInfo } from 'node:os';
import type { ParseArgsOptionsConfig } from 'node:util';
import { requireCustomer } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import { findDatabase, type Installation, openInstallation, requireSetUp } from '../installation.ts';
import { concludeRestore } from '../operations/restore/index.ts';
import type { Act, Actor } from '../platform/act.ts';
import { createLog, type Log } from '../platform/log.ts';

/** What a command prints: one JSON object with --json, otherwise words. */
export interface Output {
  json: object;
  text: string;
  /** For commands that find something wrong. */
  failed?: boolean;
}

export interface Invocation {
  config: Config;
  options: Record<string, string | undefined>;
  flags: Set<string>;
  /** The word that it takes; empty where it was left out, or where none is taken. */
  given: string;
}

export interface Command {
  /** The words that name it. */
  name: string;
  /** The one word that it takes beside options, such as FILE; in brackets where it may be left out. */
  takes?: string;
  /** Its options. */
  usage: string;
  about: string;
  options?: ParseArgsOptionsConfig;
  run(invocation: Invocation): Promise<Output | null>;
}

/** A mistake in how a command was called. */
export class UsageError extends Error {}

/** The value of an option that the command cannot do without. */
export function required({ options }: Invocation, name: string): string {
  const value = options[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}

/** Of customers, as the database counts them. */
const GREATEST_ID = 2 ** 31 - 1;

/** The customer that --customer names. */
export function customerOption(invocation: Invocation): number {
  const text = required(invocation, 'customer');
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > GREATEST_ID)
    throw new UsageError('--customer takes the id of a customer');
  return Number(text);
}

/** The customer that --customer names, which has to exist. */
export async function knownCustomer({ db }: Installation, invocation: Invocation): Promise<number> {
  const customerId = customerOption(invocation);
  await requireCustomer(db, customerId);
  return customerId;
}

/**
 * Runs work on the installation, also beside a running server. A database of an older version is refused, or else a timer
 * would bring it up to date under nodes of the version before.
 */
export async function withInstallation<T>(
  config: Config,
  work: (installation: Installation) => Promise<T>,
  { upgrades = false } = {},
): Promise<T> {
  const installation = await openInstallation({ ...config, logLevel: 'error' }, { upgrades });
  try {
    const wrong = await concludeRestore(installation);
    if (wrong !== null) process.stderr.write(`carepost: ${wrong}\n`);
    return await work(installation);
  } finally {
    await installation.close();
  }
}

/** Runs work on the database as it is, of whatever version, with the owner's address. */
export async function withDatabaseAsIs<T>(
  config: Config,
  work: (url: string, log: Log) => Promise<T>,
  { setsUp = false } = {},
): Promise<T> {
  if (!setsUp) requireSetUp(config);
  const log = createLog('error');
  const server = await findDatabase(config, log);
  try {
    return await work(server.url, log);
  } finally {
    await server.stop();
  }
}

/** Whoever runs the command, as the audit log names them. */
export function operator(): Actor {
  return { kind: 'cli', id: userInfo().username };
}

/** An act of the operator on a customer. */
export function operatorAct(customerId: number, action: string): Act {
  return { customerId, actor: operator(), action, requestId: null };
}
