import { invalidField } from '../../../platform/errors.ts';
import type { NodeType } from './graph.ts';
import type { OwnFields } from './own-fields.ts';
import { readDelay } from './read-delay.ts';
import { readAwaited } from './read-happening.ts';
import { readSpan } from './read-span.ts';
import { readTest } from './read-test.ts';
import {
  type Fields,
  isGiven,
  readFields,
  readFilled,
  readNumbered,
  readOnly,
  readScalar,
  readText,
} from './read-values.ts';

const LONGEST_LINE = 255;
const LONGEST_VALUE = 1_000;
const LONGEST_URL = 2_048;

type Read = (place: string, fields: Fields) => OwnFields;

const READERS: ReadonlyMap<unknown, Read> = new Map<NodeType, Read>([
  ['email', readEmail],
  ['delay', (place, fields) => ({ type: 'delay', ...readDelay(place, fields) })],
  ['branch', (place, fields) => ({ type: 'branch', if: readTest(`${place}.if`, fields.if) })],
  ['wait', readWait],
  ['list', readList],
  ['field', readField],
  ['webhook', (place, { url }) => ({ type: 'webhook', url: readUrl(`${place}.url`, url) })],
  ['exit', () => ({ type: 'exit' })],
]);

/** What a step does, in whichever view it stands. */
export function readStep(place: string, fields: Fields): OwnFields {
  const read = READERS.get(fields.type);
  if (read === undefined) throw invalidField(`${place}.type`, `takes ${[...READERS.keys()].join(', ')}`);
  return read(place, fields);
}

function readEmail(place: string, fields: Fields): OwnFields {
  const mailing = readNumbered(`${place}.campaign_mailing_id`, fields.campaign_mailing_id);
  const subject = readSubject(`${place}.subject`, fields.subject);
  return { type: 'email', campaign_mailing_id: mailing, ...(subject === '' ? {} : { subject }) };
}

/** The subject that an email has here; a blank one leaves it that of its mailing. */
function readSubject(place: string, wire: unknown): string {
  if (!isGiven(wire)) return '';
  const subject = readText(place, typeof wire === 'string' ? wire.trim() : wire, LONGEST_LINE);
  if (/\p{Cc}|[\u2028\u2029]/u.test(subject)) throw invalidField(place, 'takes one line');
  return subject;
}

function readWait(place: string, fields: Fields): OwnFields {
  const happening = readAwaited(`${place}.for`, fields.for);
  if (!isGiven(fields.timeout)) return { type: 'wait', for: happening };
  const at = `${place}.timeout`;
  return { type: 'wait', for: happening, timeout: readSpan(at, readFields(at, fields.timeout)) };
}

function readList(place: string, fields: Fields): OwnFields {
  const what = readOnly(place, fields, ['add', 'remove']);
  const list = readNumbered(`${place}.${what}`, fields[what]);
  return what === 'add' ? { type: 'list', add: list } : { type: 'list', remove: list };
}

function readField(place: string, { name, value }: Fields): OwnFields {
  return {
    type: 'field',
    name: readFilled(`${place}.name`, name, LONGEST_LINE),
    value: readScalar(`${place}.value`, value, LONGEST_VALUE),
  };
}

/** An address that is the same for everybody: what is known of a person must not stand in one. */
function readUrl(place: string, wire: unknown): string {
  const url = readFilled(place, wire, LONGEST_URL);
  if (url.includes('{{')) throw invalidField(place, 'cannot hold a mustache');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalidField(place, 'takes an http or https address');
  return url;
}
