import { Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { readStrictFlag } from '../../platform/http/body/flag.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { one, type Wire } from '../read-page.ts';
import { readListId } from '../subscribers/read-subscriber.ts';
import type { Mapping } from './columns.ts';
import { ENCODINGS, type Encoding } from './reading/encoding.ts';
import { DELIMITERS } from './reading/sniff.ts';

const LONGEST_MAPPING = 100_000;
const LONGEST_CONSENT = 10_000;

export const ImportQuery = Type.Object({
  subscription_list_id: Parameter('A list to join beside the default one'),
  dry_run: Parameter('true only counts what the import would do'),
  mapping: Parameter(
    'JSON by header or index from 0: email, phone_number, first_name, last_name, time_zone, unsubscribed, the name of a custom field, or null',
  ),
  encoding: Parameter(`${ENCODINGS.join(', ')}; told from the file where left out`),
  delimiter: Parameter('comma, semicolon, tab or pipe, by name or as such'),
  has_header: Parameter('true or false; told from the file where left out'),
  consent_text: Parameter('What the people of the file agreed to'),
  start_drips: Parameter('true starts drips for whoever the import puts on a list; left out, they start for nobody'),
});

/** How an import was asked for. */
export interface Wanted {
  listId: number | null;
  dryRun: boolean;
  mapping: Mapping;
  encoding: Encoding | null;
  delimiter: string | null;
  hasHeader: boolean | null;
  consentText: string | null;
  startDrips: boolean;
}

const NAMED: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

/** Reads how an import is asked for, or throws naming the setting that is wrong. */
export function readWanted(query: Wire): Wanted {
  refuseUnknown(query);
  refuseDoubled(query);
  return {
    listId: readListId(one(query.subscription_list_id)),
    dryRun: readStrictFlag('dry_run', one(query.dry_run)) ?? false,
    mapping: readMapping(one(query.mapping)),
    encoding: readEncoding(one(query.encoding)),
    delimiter: readDelimiter(one(query.delimiter)),
    hasHeader: readStrictFlag('has_header', one(query.has_header)),
    consentText: readConsent(one(query.consent_text)),
    startDrips: readStrictFlag('start_drips', one(query.start_drips)) ?? false,
  };
}

/** Elsewhere what nobody knows is passed over; here `dryRun=true` would import what was to be tried out. */
function refuseUnknown(query: Wire): void {
  if (Object.keys(query).some((name) => !Object.hasOwn(ImportQuery.properties, name)))
    throw invalidField('query', `takes ${Object.keys(ImportQuery.properties).join(', ')}`);
}

/** Elsewhere the last one counts; here `dry_run=true&dry_run=false` would do so too. */
function refuseDoubled(query: Wire): void {
  const doubled = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (doubled !== undefined) throw invalidField(doubled, 'is given more than once');
}

function readMapping(text: string | undefined): Mapping {
  if (text === undefined || text === '') return {};
  if (text.length > LONGEST_MAPPING) throw invalidField('mapping', `takes at most ${LONGEST_MAPPING} characters`);
  const value = parse(text);
  const isMapping =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((target) => target === null || (typeof target === 'string' && target.trim() !== ''));
  if (!isMapping) throw invalidField('mapping', 'takes a JSON object of names or null');
  for (const name of Object.entries(value as Mapping).flat()) refuseUnstorable(name ?? '');
  return Object.fromEntries(
    Object.entries(value as Mapping).map(([key, target]) => [key.trim(), target?.trim() ?? null]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readEncoding(text: string | undefined): Encoding | null {
  if (text === undefined || text === '') return null;
  const name = text.toLowerCase().replace(/^utf8$/, 'utf-8');
  const found = ENCODINGS.find((encoding) => encoding === name);
  if (found === undefined) throw invalidField('encoding', `takes ${ENCODINGS.join(', ')}`);
  return found;
}

function readDelimiter(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const found = NAMED[text.toLowerCase()] ?? text;
  if (!DELIMITERS.some((delimiter) => delimiter === found)) {
    throw invalidField('delimiter', 'takes comma, semicolon, tab or pipe');
  }
  return found;
}

function readConsent(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length > LONGEST_CONSENT)
    throw invalidField('consent_text', `takes at most ${LONGEST_CONSENT} characters`);
  refuseUnstorable(trimmed);
  return trimmed === '' ? null : trimmed;
}
