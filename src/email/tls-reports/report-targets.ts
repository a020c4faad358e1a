import { parseAddress } from '../submission/address.ts';

/** Where a domain wants its reports. */
export type ReportTarget = { kind: 'https'; url: string } | { kind: 'mail'; address: string };

const MOST_TARGETS = 2;
const VERSION = /^v=TLSRPTv1[ \t]*;/;
const LONGEST_RECORD = 4_096;

/**
 * Reads the TXT records at `_smtp._tls` of a domain (RFC 8460 3). None, more than one, or one that says nothing we
 * can follow mean that no report is wanted.
 */
export function readReportTargets(records: string[]): ReportTarget[] {
  const [record, second] = records.filter((each) => VERSION.test(each));
  if (record === undefined || second !== undefined || record.length > LONGEST_RECORD) return [];
  const fields = record.split(';').slice(1).map(trimBlanks);
  const lists = fields.filter((field) => field.startsWith('rua=')).map((field) => field.slice('rua='.length));
  const uris = lists.length === 1 ? (lists[0] as string).split(',').map(trimBlanks) : [];
  return uris.flatMap((uri) => readTarget(uri) ?? []).slice(0, MOST_TARGETS);
}

/** How a target is written down once it has the report. */
export function nameOf(target: ReportTarget): string {
  return target.kind === 'https' ? target.url : `mailto:${target.address}`;
}

function readTarget(uri: string): ReportTarget | null {
  if (/^https:\/\//i.test(uri)) return URL.canParse(uri) ? { kind: 'https', url: uri } : null;
  const [, encoded] = /^mailto:([^?]+)/i.exec(uri) ?? [];
  const parsed = encoded === undefined ? null : parseAddress(decode(encoded));
  return parsed === null || parsed.name !== null ? null : { kind: 'mail', address: parsed.address };
}

/** Without its escapes (RFC 6068 2), or nothing where they cannot be read. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
