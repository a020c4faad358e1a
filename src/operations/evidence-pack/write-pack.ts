import { mkdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf, recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { csvLine } from '../../platform/csv.ts';
import { writeNew } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import { version } from '../../version.ts';
import { collectSections } from './collect.ts';
import { type ListedFile, listed, signManifest } from './manifest.ts';
import { overviewPage } from './overview-page.ts';
import type { Section, Sources } from './section.ts';

const BILL_OF_MATERIALS = join(import.meta.dirname, '..', '..', '..', 'docs', 'sbom.cdx.json');
const DAY = 24 * 3600_000;

export interface WrittenPack {
  files: number;
  sections: { name: string; rows: number }[];
  /** Of the key that signed. */
  fingerprint: string;
}

/** Writes the pack of a period into a folder that is not there yet or is empty. Each customer's log says so. */
export async function writePack(
  sources: Sources,
  actOn: (customerId: number) => Act,
  folder: string,
): Promise<WrittenPack> {
  await takeFolder(folder);
  const sections = await collectSections(sources);
  const { installation, customers, period, signingKey } = sources;
  const fingerprint = fingerprintOf(signingKey.publicKey);
  const heading = {
    from: dayOf(period.from),
    to: dayOf(new Date(period.to.getTime() - DAY)),
    customers: customers.map(({ username }) => username),
    madeAt: installation.clock.now().toISOString(),
  };
  const contents = new Map<string, string>();
  for (const section of sections) {
    contents.set(`${section.name}.json`, inJson(section));
    contents.set(`${section.name}.csv`, inCsv(section));
  }
  contents.set('sbom.cdx.json', await readFile(BILL_OF_MATERIALS, 'utf8'));
  contents.set('index.html', overviewPage({ ...heading, fingerprint }, sections));
  const sums = [...contents].map(([name, text]) => listed(name, Buffer.from(text)));
  contents.set('SHA256SUMS', sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  const files: ListedFile[] = [...contents].map(([name, text]) => listed(name, Buffer.from(text)));
  contents.set('manifest.json', signManifest(signingKey, { ...heading, version, files }));
  for (const [name, text] of contents) await writeNew(join(folder, name), text);
  for (const { id } of customers)
    await installation.db.tenant([id], (tx) =>
      recordAct(tx, installation.clock, actOn(id), { details: { from: heading.from, to: heading.to } }),
    );
  const told = sections.map(({ name, rows }) => ({ name, rows: rows.length }));
  return { files: contents.size, sections: told, fingerprint };
}

async function takeFolder(folder: string): Promise<void> {
  try {
    // Only an empty folder can be removed.
    await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await mkdir(folder, { mode: 0o700 });
  } catch {
    throw new AppError('conflict', 'The folder has to be empty or not there yet, in a folder that is');
  }
}

function inJson({ name, title, about, rows }: Section): string {
  return `${JSON.stringify({ name, title, about, rows }, null, 1)}\n`;
}

function inCsv({ columns, rows }: Section): string {
  const lines = rows.map((row) => csvLine(columns.map((column) => String(row[column] ?? ''))));
  return [csvLine(columns), ...lines].join('');
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
