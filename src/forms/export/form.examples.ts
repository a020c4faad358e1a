import { deflateSync } from 'node:zlib';
import type {
  Asked,
  Choice,
  FormModel,
  Heading,
  Item,
  Page,
  Question,
  QuestionKind,
  RepeatingGroup,
  Section,
} from '../model/form-model.ts';
import type { ExportedSubmission } from './exported-submission.ts';

// Forms and submissions that the tests of this folder share.

const DEFAULTS: Record<QuestionKind, object> = {
  text: { leastLength: 0, mostLength: 1_000, pattern: null, format: null },
  long_text: { leastLength: 0, mostLength: 300_000, pattern: null, format: null },
  number: { least: null, most: null, whole: false, multipleOf: null },
  email: {},
  phone: {},
  time: {},
  address: {},
  date: { earliest: null, latest: null },
  select: { choices: [], other: false },
  radio: { choices: [], other: false },
  checkboxes: { choices: [], other: false, least: 0, most: 10 },
  yes_no: { only: null },
  rating: { least: 1, most: 5 },
  matrix: { rows: [], columns: [] },
  file: { most: 5, mostBytes: null, accept: [] },
  signature: {},
  consent: { text: '' },
  hidden: {},
  unknown: {},
  calculated: { formula: { kind: 'literal', value: 0 } },
};

function asked(id: string, label: string): Asked {
  const conditions = { required: false, requireWhen: null, showWhen: null };
  return { id, name: id, label, help: null, ...conditions, prefill: false, deidentify: null };
}

export function question(kind: QuestionKind, id: string, label: string, extras: object = {}): Question {
  return { ...asked(id, label), kind, ...DEFAULTS[kind], ...extras } as Question;
}

export function group(id: string, label: string, items: RepeatingGroup['items']): RepeatingGroup {
  return { ...asked(id, label), kind: 'group', least: 0, most: 20, items };
}

export function choices(...labels: string[]): Choice[] {
  return labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '_'), label, score: null }));
}

export function heading(text: string): Heading {
  return { kind: 'heading', id: text, text, showWhen: null };
}

export function section(title: string | null, items: Item[]): Section {
  return { kind: 'section', id: title ?? 'section', title, showWhen: null, items };
}

export function page(title: string | null, items: Item[]): Page {
  return { id: title ?? 'page', title, showWhen: null, items };
}

export function form(...pages: Page[]): FormModel {
  return { shape: 'pages', pages, takesFiles: true };
}

export function submission(
  answers: Record<string, unknown>,
  rest: Partial<ExportedSubmission> = {},
): ExportedSubmission {
  return {
    id: '0190a5b2-7c1e-7d2a-9f00-3b6c5d4e1f20',
    createdAt: new Date('2024-06-05T14:22:00.500Z'),
    formVersion: 1,
    submitterEmail: null,
    answers,
    unasked: [],
    attachments: [],
    signature: null,
    ...rest,
  };
}

/** A PNG of one colour type, RGB with alpha unless told; `pixels` are its lines with their filter bytes. */
export function png(width: number, height: number, pixels?: Buffer, head: number[] = [8, 6, 0, 0, 0]): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const lines = pixels ?? Buffer.alloc(height * (1 + width * 4), Buffer.from([0, 20, 40, 160, 200].slice(1)));
  if (pixels === undefined) for (let row = 0; row < height; row += 1) lines[row * (1 + width * 4)] = 0;
  const parts = [
    chunk('IHDR', Buffer.concat([size, Buffer.from(head)])),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

export async function* each<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items;
}

export async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}
