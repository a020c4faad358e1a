import { own } from '../export/answer-text.ts';
import { type Columns, tellApart } from '../export/columns.ts';
import type { FormModel } from '../model/form-model.ts';
import { deidentifiedRow, deidentifiedText, toldItems } from './deidentified-text.ts';
import { type Treated, treatedQuestions } from './treated-questions.ts';
import type { Treatment } from './treatment.ts';

/** What a heading says of what stands under it. */
const SHOWN: Partial<Record<Treatment, string>> = {
  year: ' (year)',
  age: ' (age)',
  born: ' (age)',
  zip: ' (ZIP3)',
  'zip-of-address': ' (ZIP3)',
};

type Reader = Columns['readers'][number];

/** A column, with how each version asked for it. */
interface Column {
  header: string;
  cells: Map<number, Reader>;
}

/**
 * The columns of a table without identities: one for a question of any version, and none where nothing may be told.
 * `nameRow` makes a name for a row that leads nowhere.
 */
export function deidentifiedColumns(models: { version: number; model: FormModel }[], nameRow: () => string): Columns {
  const columns = new Map<string, Column>();
  for (const { version, questions } of treatedQuestions(models)) {
    for (const [key, header, cell] of questions.flatMap(cellsOfQuestion)) {
      const column = columns.get(key) ?? { header, cells: new Map<number, Reader>() };
      if (!column.cells.has(version)) column.cells.set(version, cell);
      columns.set(key, column);
    }
  }
  const told: [string, Reader][] = [
    ['Record', nameRow],
    ['Year', ({ createdAt }) => String(createdAt.getUTCFullYear())],
  ];
  for (const { header, cells } of columns.values()) {
    told.push([header, (sent, unasked) => cells.get(sent.formVersion)?.(sent, unasked) ?? '']);
  }
  return { headers: tellApart(told.map(([header]) => header)), readers: told.map(([, reader]) => reader) };
}

function cellsOfQuestion(treated: Treated): [key: string, header: string, cell: Reader][] {
  const { key, question, treatment } = treated;
  if (treatment === 'drop' || (treatment === 'entries' && toldItems(treated).length === 0)) return [];
  const label = question.label.trim() || question.name;
  const asked =
    (tell: (answer: unknown, day: Date, unasked: ReadonlySet<string>) => string): Reader =>
    ({ answers, createdAt }, unasked) =>
      unasked.has(question.name) ? '' : tell(own(answers, question.name), createdAt, unasked);
  if (question.kind === 'matrix') {
    return question.rows.map((row) => [
      JSON.stringify([key, row.value]),
      `${label}: ${row.label}`,
      asked((answer) => deidentifiedRow(question.columns, row, answer)),
    ]);
  }
  const cell = asked((answer, day, unasked) => deidentifiedText(treated, answer, { day, unasked }));
  return [[JSON.stringify([key]), `${label}${SHOWN[treatment] ?? ''}`, cell]];
}
