import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { exitCodeOf } from '../../src/cli/exit-code.ts';
import { explain } from '../../src/cli/explain.ts';
import { runCommand } from '../../src/cli/run.ts';
import { createTestDatabase } from './database.ts';

/** The program itself. */
export const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandLine {
  folder: string;
  env: Record<string, string>;
  /** Runs a command in this process: starting one takes longer than all that it does. */
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
  /** What a command prints, which must be all that it prints. */
  text(...args: string[]): Promise<string>;
  /** The same with --json. */
  json(...args: string[]): Promise<Record<string, unknown>>;
}

/** Runs the command line as a process. */
export function runProcess(args: string[], env: Record<string, string>): Promise<Ended> {
  // The document of the API is larger than what is taken by default.
  const options = { env: { PATH: process.env.PATH ?? '', ...env }, cwd: tmpdir(), maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** Runs the command line in this process, and answers what one of its own would print and end with. */
export async function runHere(args: string[], env: Record<string, string>): Promise<Ended> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  try {
    const code = await runCommand(args, { environment: () => env, print });
    return { code, out, err: '' };
  } catch (error) {
    return { code: exitCodeOf(error), out, err: `carepost: ${explain(error)}\n` };
  }
}

/** The command line of an installation of its own, whose data dir does not exist yet. */
export async function openCommandLine(t: TestContext): Promise<CommandLine> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'carepost-cli-'));
  t.after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    CAREPOST_DATABASE_URL: database.url,
    CAREPOST_DATA_DIR: join(folder, 'data'),
    CAREPOST_SMTP_PORT: '0',
    CAREPOST_SMTPS_PORT: '0',
    CAREPOST_LIMITS: 'free-disk=1MB',
  };
  const run = (args: string[], more = {}) => runHere(args, { ...env, ...more });
  const text = async (...args: string[]) => {
    const { code, out, err } = await run(args);
    assert.deepEqual({ code, err }, { code: 0, err: '' }, args.join(' '));
    return out;
  };
  return { folder, env, run, text, json: async (...args) => JSON.parse(await text(...args, '--json')) };
}
