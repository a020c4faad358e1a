import { CertificateBroken, requireThat } from './broken.ts';
import { type Bytes, latin1 } from './bytes.ts';

const LARGEST = 64 * 2 ** 20;
const UNREADABLE = 'the record in the file cannot be read';

/** The record that is attached to a certificate, as text. It reads PDF as certificates are written, and no other. */
export async function readEmbeddedRecord(file: Uint8Array): Promise<string> {
  const text = latin1(file);
  const { offsets, root } = readOffsets(text);
  const object = (number: string) => objectAt(text, number, offsets.get(number));
  const names = object(captured(object(root), /\/Names (\d+) 0 R/));
  const attached = captured(names, /\/EmbeddedFiles <<\s*\/Names \[\s*\(record\.json\) (\d+) 0 R\s*\]/);
  const stream = captured(object(attached), /\/EF <<\s*\/F (\d+) 0 R/);
  const head = object(stream);
  const length = Number(captured(head, /\/Length (\d+)\s/));
  requireThat(/\/Filter \/FlateDecode\s/.test(head), UNREADABLE);
  const start = (offsets.get(stream) ?? 0) + head.length + 'stream\n'.length;
  return textOf(await inflate(file.slice(start, start + length)));
}

/** Where each object begins, by its number, and which one is the root. The newest part of a file counts first. */
function readOffsets(text: string): { offsets: Map<string, number>; root: string } {
  const offsets = new Map<string, number>();
  const roots: string[] = [];
  let at: number | null = Number(captured(text.slice(-64), /startxref\r?\n(\d+)\r?\n%%EOF\s*$/));
  for (let parts = 0; at !== null; parts += 1) {
    requireThat(parts < 4 && text.startsWith('xref', at), UNREADABLE);
    const end: number = text.indexOf('startxref', at);
    const [table = '', trailer = '']: string[] = text.slice(at, end).split('trailer');
    for (const [number, offset] of entriesOf(table)) if (!offsets.has(number)) offsets.set(number, offset);
    roots.push(captured(trailer, /\/Root (\d+) 0 R/));
    const previous: string | undefined = /\/Prev (\d+)/.exec(trailer)?.[1];
    at = previous === undefined ? null : Number(previous);
  }
  return { offsets, root: roots[0] as string };
}

/** ISO 32000-2 7.5.4: `first count`, then one line for each object. */
function* entriesOf(table: string): Generator<[string, number]> {
  let number = 0;
  for (const line of table.split(/\r?\n/)) {
    const [, first] = /^(\d+) \d+ *$/.exec(line) ?? [];
    const [, offset] = /^(\d{10}) \d{5} [nf] *$/.exec(line) ?? [];
    if (offset !== undefined) {
      yield [String(number), Number(offset)];
      number += 1;
    } else if (first !== undefined) number = Number(first);
  }
}

/** An object up to its end or to the bytes of its stream. */
function objectAt(text: string, number: string, offset: number | undefined): string {
  requireThat(offset !== undefined && text.startsWith(`${number} 0 obj`, offset), UNREADABLE);
  const ends = ['endobj', 'stream\n'].map((word) => text.indexOf(word, offset)).filter((end) => end !== -1);
  requireThat(ends.length > 0, UNREADABLE);
  return text.slice(offset, Math.min(...ends));
}

function captured(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  requireThat(found !== undefined, UNREADABLE);
  return found;
}

function textOf(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CertificateBroken(UNREADABLE);
  }
}

async function inflate(packed: Bytes): Promise<Bytes> {
  const parts: Bytes[] = [];
  let size = 0;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      parts.push(new Uint8Array(value));
      if (size > LARGEST) throw new Error('too large');
    }
  } catch {
    throw new CertificateBroken(UNREADABLE);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
