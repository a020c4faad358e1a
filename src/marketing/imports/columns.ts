import { AppError } from '../../platform/errors.ts';
import { MOST_FIELD_TYPES } from '../fields/field-types.ts';
import { SUBSCRIBER_COLUMNS } from '../subscribers/subscriber.ts';
import { isAddress, isPhoneNumber } from './reading/sniff.ts';

const PERSON_COLUMNS = ['email', 'phone_number', 'first_name', 'last_name', 'time_zone', 'unsubscribed'] as const;
export type PersonColumn = (typeof PERSON_COLUMNS)[number];

/** What a column of a file holds: something that everybody has, a custom field by its name, or nothing to be kept. */
export type Column = { person: PersonColumn } | { field: string } | null;

/** What somebody said of some columns, by their header or their index from 0; null leaves one out. */
export type Mapping = Record<string, string | null>;

const LONGEST_NAME = 100;
const MOST_COLUMNS = MOST_FIELD_TYPES + PERSON_COLUMNS.length;

/** Usual names of columns, with nothing but letters in them. */
const USUAL: Record<PersonColumn, string> = {
  email: `email mail emailaddress emailadresse mailadresse subscriberemail contactemail primaryemail courriel
    adressemail adresseemail correo correoelectronico indirizzoemail eposta`,
  phone_number: `phone phonenumber mobile mobilephone mobilenumber cell cellphone telephone tel telefon telefonnummer
    handy handynummer mobil telefono portable smsnumber`,
  first_name: 'firstname first givenname forename fname vorname prenom nombre nome subscriberfirstname',
  last_name: 'lastname last surname familyname lname nachname familienname nom apellido apellidos cognome',
  time_zone: 'timezone tz zeitzone fuseauhoraire',
  unsubscribed: 'unsubscribed unsubscribedat',
};
const MEANT = new Map(
  PERSON_COLUMNS.flatMap((person) => USUAL[person].split(/\s+/).map((name) => [name, person] as const)),
);

/** What the columns of a file with a header hold: as the mapping says, and by their names where it says nothing. */
export function columnsByHeader(header: readonly string[], mapping: Mapping): Column[] {
  refuseTooMany(header.length);
  const names = header.map((name) => name.trim());
  requireKnown(mapping, names);
  const said = names.map((name, index) => mapping[name] ?? (name in mapping ? null : mapping[index]));
  const taken = new Set<PersonColumn>();
  for (const target of said) if (isPersonColumn(target)) taken.add(target);
  const isOurExport = SUBSCRIBER_COLUMNS.every((column) => names.includes(column));
  return requireUsable(
    names.map((name, index) => {
      const target = said[index];
      if (target !== undefined) return target === null ? null : columnOf(target);
      const meant = MEANT.get(lettersOf(name));
      // A field of one's own may be called so too, and stands behind ours.
      if (isOurExport && meant === undefined && isOurs(name) && names.indexOf(name) === index) return null;
      if (meant === undefined || taken.has(meant)) return name === '' ? null : columnOf(name, false);
      taken.add(meant);
      return { person: meant };
    }),
  );
}

/** What the columns of a file without a header hold: as the mapping says, and addresses and numbers by their looks. */
export function columnsByContent(first: readonly string[], mapping: Mapping): Column[] {
  refuseTooMany(first.length);
  requireKnown(
    mapping,
    first.map(() => ''),
  );
  const taken = new Set(Object.values(mapping));
  const guess = (cell: string): Column => {
    const person = isAddress(cell) ? 'email' : isPhoneNumber(cell) ? 'phone_number' : null;
    if (person === null || taken.has(person)) return null;
    taken.add(person);
    return { person };
  };
  return requireUsable(
    first.map((cell, index) => {
      const target = mapping[index];
      if (target === undefined) return guess(cell);
      return target === null ? null : columnOf(target);
    }),
  );
}

function isPersonColumn(target: string | null | undefined): target is PersonColumn {
  return PERSON_COLUMNS.some((person) => person === target);
}

/** Whether an export has this column whatever fields a customer has. */
function isOurs(name: string): boolean {
  return SUBSCRIBER_COLUMNS.some((column) => column === name);
}

/** The column that a name stands for; a header that happens to be called like one of ours is guessed elsewhere. */
function columnOf(name: string, mayBePerson = true): Column {
  if (mayBePerson && isPersonColumn(name)) return { person: name };
  if (name.length > LONGEST_NAME) throw unreadable(`The name of a column takes at most ${LONGEST_NAME} characters`);
  if (/\p{Cc}/u.test(name)) throw unreadable('The name of a column takes no line breaks or other control characters');
  return { field: name };
}

function lettersOf(name: string): string {
  // No usual name is as long, and to normalise a long one may take very long.
  return name
    .slice(0, LONGEST_NAME)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

function refuseTooMany(columns: number): void {
  if (columns > MOST_COLUMNS) throw unreadable(`The file has more than ${MOST_COLUMNS} columns`);
}

function requireKnown(mapping: Mapping, names: readonly string[]): void {
  const isKnown = (key: string) => names.includes(key) || (/^\d{1,5}$/.test(key) && Number(key) < names.length);
  if (!Object.keys(mapping).every(isKnown)) throw unreadable('mapping names a column that the file does not have');
}

function requireUsable(columns: Column[]): Column[] {
  const targets = columns.filter((column) => column !== null).map((column) => JSON.stringify(column));
  if (new Set(targets).size < targets.length) throw unreadable('Two columns of the file would be the same field');
  const isKey = (column: Column) =>
    column !== null && 'person' in column && ['email', 'phone_number'].includes(column.person);
  if (!columns.some(isKey)) throw unreadable('No column of the file holds addresses or phone numbers');
  return columns;
}

function unreadable(reason: string): AppError {
  return new AppError('unprocessable', reason);
}
