import type { SigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import type { Database, Tx } from '../../platform/db/database.ts';

export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** A table of a pack. It names people who work here, keys, acts and counts; never a patient and never what was said. */
export interface Section {
  /** What its files are called. */
  name: string;
  title: string;
  /** What it shows and how it was found. */
  about: string;
  columns: string[];
  rows: Row[];
}

/** The days that a pack is about: from the beginning of the first to the beginning of the day after the last. */
export interface Period {
  from: Date;
  to: Date;
}

/** What the tables are read from. */
export interface Sources {
  installation: Installation;
  /** The database as the sealer role, which sees every audit chain. */
  sealer: Database;
  signingKey: SigningKey;
  checkpointFile: string;
  /** The settings as they were given. */
  environment: Record<string, string | undefined>;
  period: Period;
  /** Those whose tables are wanted; the installation itself is one of them where all are. */
  customers: { id: number; username: string }[];
}

export type ReadSection = (sources: Sources) => Promise<Section>;

/** The rows of each customer, told apart by a first column. */
export async function ofEach({ customers }: Sources, read: (customerId: number) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (const { id, username } of customers) for (const row of await read(id)) all.push({ customer: username, ...row });
  return all;
}

/** The same, those of each in a transaction of its own. */
export function ofEachTenant(sources: Sources, read: (tx: Tx, customerId: number) => Promise<Row[]>): Promise<Row[]> {
  return ofEach(sources, (id) => sources.installation.db.tenant([id], (tx) => read(tx, id)));
}

/** A moment as it stands in a table. */
export function moment(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
