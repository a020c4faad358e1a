import { isUtf8 } from 'node:buffer';
import { openPlaced } from '../../email/index.ts';
import { SEALED_COLUMNS } from '../../jobs.ts';
import { SealBroken } from '../../platform/vault/seal-broken.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';

/** A column whose values are opened; `row` is the SQL that names its row as the seal does. */
export interface OpenedColumn {
  column: string;
  row: string;
  /** Where the seal says that it stands. */
  place: { table: string; column: string };
}

/** What people had before an import and after it is sealed as it stands with them. */
const BESIDE_PEOPLE = ['sealed_before', 'sealed_after'].map((column) => ({
  table: 'import_changes',
  column,
  row: 'subscriber_id',
  place: { table: 'subscribers', column: 'sealed_fields' },
}));

/** The sealed columns of a table, but for those that are left out. */
export function openedColumns(table: string, without: readonly string[]): OpenedColumn[] {
  const sealed = SEALED_COLUMNS.map(({ table: of, column, row }) => ({
    table: of,
    column,
    row,
    place: { table: of, column },
  }));
  return [...sealed, ...BESIDE_PEOPLE].filter((each) => each.table === table && !without.includes(each.column));
}

/**
 * Opens a sealed value and reads it as what it is: the content of a message, JSON, text, or bytes in base64. One that was
 * altered is written as it stands: it shall not keep all others from leaving.
 */
export function openColumn(keys: CustomerVault, { place }: OpenedColumn, row: string, sealed: Buffer): unknown {
  try {
    if (place.table === 'message_contents') return tellContent(keys, row, sealed);
    const value = readBytes(keys.open({ ...place, row }, sealed));
    return place.table === 'webhook_endpoints' ? withoutSecrets(value) : value;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return { unreadable: sealed.toString('base64') };
  }
}

/** Attachments that are in the store are among the files of the export, by the id of their blob. */
function tellContent(keys: CustomerVault, id: string, sealed: Buffer): object {
  const { attachments, ...rest } = openPlaced(keys, id, sealed);
  return {
    ...rest,
    attachments: attachments.map((each) =>
      'content' in each ? { ...each, content: each.content.toString('base64') } : each,
    ),
  };
}

function readBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return { base64: bytes.toString('base64') };
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What signs webhooks is no record, and of no use to anybody but the product. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !/secret|apiKey/i.test(name)));
}
