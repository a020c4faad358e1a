import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const KINDS = 'accounts/oversight/reads/action-kinds.ts';

/** What the names that are put together stand for. */
const PUT_TOGETHER: Record<string, string[]> = {
  'send.${move}': ['send.paused', 'send.resumed', 'send.cancelled'],
  'subscribers.${kind}d': ['subscribers.subscribed', 'subscribers.unsubscribed'],
};

const GIVEN = /\b(?:audit|action): (.*)/g;
const NAME = /'([a-z][a-z_-]*\.[a-z-]+)'/g;
/** Acts are told in the past tense, wherever their names stand. */
const PAST = /^[a-z][a-z_-]{2,}\.[a-z-]*(?:ed|[dt]en|read|told|made|set|sent|begun|left|back|drawn)$/;
/** Fields that sound like acts. */
const NO_ACTS = new Set(['signature.confirmed']);

/** Every action that endpoints, commands and jobs write to the audit log, from their source. */
export function auditActions(): string[] {
  const files = globSync('**/*.ts', { cwd: SRC, exclude: (name) => name.endsWith('.test.ts') });
  const texts = files.filter((file) => file !== KINDS).map((file) => readFileSync(join(SRC, file), 'utf8'));
  const found = texts.flatMap(actionsIn).filter((action) => !NO_ACTS.has(action));
  return [...new Set(found)].toSorted();
}

/** The actions that are named in the lists of kinds. */
export function namedInKinds(): string[] {
  const text = readFileSync(join(SRC, KINDS), 'utf8');
  return [...text.matchAll(/(?<=[\s'`])[a-z][a-z_-]*\.[a-z-]+(?=[\s'`])/g)].map(([name]) => name);
}

/** The actions in a text: what stands after `audit:` and `action:`, there or as a constant, and whatever else reads like one. */
export function actionsIn(text: string): string[] {
  const given = [...text.matchAll(GIVEN)].map(([, after = '']) => after);
  return [
    ...given.flatMap((after) => [...after.matchAll(NAME)].map(([, name = '']) => name)),
    ...given.flatMap((after) => [...after.matchAll(/`([^`]*\.[^`]*)`/g)].flatMap(([, name = '']) => partsOf(name))),
    ...given.flatMap((after) => constantIn(text, /^[A-Z_]+\b/.exec(after)?.[0])),
    ...[...text.matchAll(NAME)].map(([, name = '']) => name).filter((name) => PAST.test(name)),
  ];
}

function partsOf(name: string): string[] {
  if (name.includes('#')) return []; // an address of a form
  const parts = PUT_TOGETHER[name];
  if (parts === undefined) throw new Error(`${name} is put together: say in this file what it stands for`);
  return parts;
}

function constantIn(text: string, constant: string | undefined): string[] {
  const value = constant === undefined ? null : new RegExp(`const ${constant} = '([^']+)'`).exec(text);
  return value?.[1] === undefined ? [] : [value[1]];
}
