import { armed } from '../../platform/csv.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { FieldType } from '../fields/field-type.ts';
import { readValue } from '../fields/read-value.ts';
import { readSubscriber } from '../subscribers/read-subscriber.ts';
import type { Column, PersonColumn } from './columns.ts';
import type { ImportRow } from './row.ts';

export type Checked = { row: ImportRow } | { reasons: string[] };

/** Checks the cells of a line by the rules that a subscriber is saved by. A cell that is empty says nothing. */
export type CheckRow = (line: number, cells: readonly string[]) => Checked;

/** A day as it is written in most places, and what may follow; none is one that stands for no day. */
const DAY = /^(?!0000)\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T\s,].*)?$/;

/** Makes the check for the columns of a file. */
export function createCheckRow(columns: readonly Column[], types: ReadonlyMap<string, FieldType>): CheckRow {
  return (line, cells) => {
    if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      return { reasons: ['has more cells than the file has columns'] };
    }
    const person: Partial<Record<PersonColumn, string>> = {};
    const custom: { name: string; value: string }[] = [];
    for (const [index, column] of columns.entries()) {
      const cell = cells[index];
      if (cell === undefined || cell === '' || column === null) continue;
      if ('person' in column) person[column.person] = armed(cell);
      else custom.push({ name: column.field, value: armed(cell) });
    }
    try {
      const { unsubscribed, ...known } = person;
      const { customFields, ...read } = readSubscriber({ ...known, custom_fields: custom });
      const { fields, phi, reasons } = number(types, customFields);
      if (reasons.length > 0) return { reasons };
      return {
        row: {
          line,
          email: read.email ?? null,
          phoneNumber: read.phoneNumber ?? null,
          firstName: read.firstName ?? null,
          lastName: read.lastName ?? null,
          timeZone: read.timeZone ?? null,
          fields,
          phi,
          optedOut: hasOptedOut(unsubscribed?.trim() ?? ''),
        },
      };
    } catch (error) {
      if (error instanceof AppError) return { reasons: reasonsOf(error, custom) };
      throw error;
    }
  };
}

/** Yes, no, or when somebody left: what else it may mean is not guessed. */
function hasOptedOut(text: string): boolean {
  if (DAY.test(text)) return true;
  const read = readValue('yes_no', text);
  if ('rule' in read) throw invalidField('unsubscribed', 'takes yes, no, or the time of opting out');
  return read.value === 'true';
}

function number(types: ReadonlyMap<string, FieldType>, values: ReadonlyMap<string, string>) {
  const fields: Record<string, string> = {};
  const phi: Record<string, string> = {};
  const reasons: string[] = [];
  for (const [name, text] of values) {
    if (text === '') continue;
    const type = types.get(name) as FieldType;
    const read = readValue(type.kind, text);
    if ('rule' in read) reasons.push(`custom field ${name} ${read.rule}`);
    else (type.class === 'phi' ? phi : fields)[type.number] = read.value;
  }
  return { fields, phi, reasons };
}

function reasonsOf({ fields }: AppError, custom: { name: string }[]): string[] {
  return Object.entries(fields).flatMap(([field, rules]) => {
    const [, index] = /^subscriber\.custom_fields\[(\d+)\]$/.exec(field) ?? [];
    const name =
      index === undefined ? field.replace(/^subscriber\./, '') : `custom field ${custom[Number(index)]?.name}`;
    return rules.map((rule) => `${name} ${rule}`);
  });
}
