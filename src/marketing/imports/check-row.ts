import { AppError } from '../../platform/errors.ts';
import type { FieldType } from '../fields/field-type.ts';
import { readValue } from '../fields/read-value.ts';
import { readSubscriber } from '../subscribers/read-subscriber.ts';
import type { Column } from './columns.ts';
import type { ImportRow } from './row.ts';

export type Checked = { row: ImportRow } | { reasons: string[] };

/** Checks the cells of a line by the rules that a subscriber is saved by. A cell that is empty says nothing. */
export type CheckRow = (line: number, cells: readonly string[]) => Checked;

/** Makes the check for the columns of a file. */
export function createCheckRow(columns: readonly Column[], types: ReadonlyMap<string, FieldType>): CheckRow {
  return (line, cells) => {
    if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      return { reasons: ['has more cells than the file has columns'] };
    }
    const person: Record<string, string> = {};
    const custom: { name: string; value: string }[] = [];
    for (const [index, column] of columns.entries()) {
      const cell = cells[index];
      if (cell === undefined || cell === '' || column === null) continue;
      if ('person' in column) person[column.person] = cell;
      else custom.push({ name: column.field, value: cell });
    }
    try {
      const { customFields, ...read } = readSubscriber({ ...person, custom_fields: custom });
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
        },
      };
    } catch (error) {
      if (error instanceof AppError) return { reasons: reasonsOf(error, custom) };
      throw error;
    }
  };
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
