export type StsMode = 'enforce' | 'testing' | 'none';

/** What a domain says of its mail servers (RFC 8461 3.2). */
export interface StsPolicy {
  /** The id of the record under which the policy was fetched. */
  id: string;
  mode: StsMode;
  /** Names of mail servers in lower case, the first label of which may be `*`. */
  mx: string[];
  /** Seconds. */
  maxAge: number;
}

const LONGEST_AGE_S = 31_557_600;
const KEY = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,31}$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const MX = new RegExp(`^(?=.{1,255}$)(?:\\*\\.)?(?:${LABEL}\\.)*${LABEL}$`);
const VERSION = /^v=STSv1[ \t]*(?:;|$)/;
const ID = /^[ \t]*id=([a-zA-Z0-9]{1,32})[ \t]*$/;

/** Reads the file of a policy; null where it is none. Unknown fields are passed over. */
export function parseStsPolicy(text: string): Omit<StsPolicy, 'id'> | null {
  const fields = fieldsOf(text);
  if (fields === null || fields.get('version')?.[0] !== 'STSv1') return null;
  const mode = modeOf(fields.get('mode')?.[0]);
  const maxAge = maxAgeOf(fields.get('max_age')?.[0]);
  const mx = (fields.get('mx') ?? []).map((pattern) => pattern.toLowerCase());
  if (mode === null || maxAge === null || !mx.every((pattern) => MX.test(pattern))) return null;
  return mode !== 'none' && mx.length === 0 ? null : { mode, mx, maxAge };
}

/** The id in the TXT records of `_mta-sts`; null unless exactly one of them is of this version (RFC 8461 3.1). */
export function parseStsRecord(records: string[]): string | null {
  const [record, ...others] = records.filter((each) => VERSION.test(each));
  if (record === undefined || others.length > 0) return null;
  const ids = record.split(';').map((field) => ID.exec(field)?.[1]);
  return ids.find((id) => id !== undefined) ?? null;
}

/** Whether a policy names a host; `*` stands for exactly one label (RFC 8461 4.1). */
export function matchesPolicy(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase();
  const parent = name.slice(name.indexOf('.') + 1);
  return patterns.some((pattern) => pattern === name || (name.includes('.') && pattern === `*.${parent}`));
}

/** Every value of every field in its order; null where a line is no field. */
function fieldsOf(text: string): Map<string, string[]> | null {
  const fields = new Map<string, string[]>();
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(colon, 0));
    if (!KEY.test(key)) return null;
    const values = fields.get(key) ?? [];
    values.push(line.slice(colon + 1).trim());
    fields.set(key, values);
  }
  return fields;
}

function modeOf(value: string | undefined): StsMode | null {
  return value === 'enforce' || value === 'testing' || value === 'none' ? value : null;
}

/** More than the longest age counts as the longest: a policy must not fall because it asks for too much. */
function maxAgeOf(value = ''): number | null {
  return /^\d{1,10}$/.test(value) ? Math.min(Number(value), LONGEST_AGE_S) : null;
}
