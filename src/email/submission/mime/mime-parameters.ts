import { decodeCharset } from './mime-body.ts';

export interface Structured {
  /** In lower case. */
  value: string;
  parameters: Map<string, string>;
}

const PARAMETER = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^;\s]*)/g;
/** RFC 2231 3 and 4: `name*`, `name*0`, `name*0*`. */
const SECTION = /^([^*]+)\*(?:(\d{1,3})(\*)?)?$/;
const COMMENT = /\([^()]*\)/g;

interface Section {
  number: number;
  encoded: boolean;
  text: string;
}

/** Reads a header such as Content-Type: a value and what is said about it. The first of two parameters counts. */
export function readStructured(header: string): Structured {
  const [value = ''] = header.replace(COMMENT, ' ').split(';', 1);
  const parameters = new Map<string, string>();
  const sections = new Map<string, Section[]>();
  for (const [, sent = '', raw = ''] of header.matchAll(PARAMETER)) {
    const name = sent.toLowerCase();
    const text = raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
    const [, base, number, star] = SECTION.exec(name) ?? [];
    if (base === undefined) {
      if (!parameters.has(name)) parameters.set(name, text);
      continue;
    }
    const section = { number: Number(number ?? 0), encoded: number === undefined || star !== undefined, text };
    const known = sections.get(base);
    if (known === undefined) sections.set(base, [section]);
    else known.push(section);
  }
  for (const [name, parts] of sections) parameters.set(name, joinSections(parts));
  return { value: value.trim().toLowerCase(), parameters };
}

function joinSections(sections: Section[]): string {
  const [first, ...rest] = sections.toSorted((one, other) => one.number - other.number) as [Section, ...Section[]];
  const [, charset, text] = (first.encoded ? /^([^']*)'[^']*'(.*)$/s.exec(first.text) : null) ?? [];
  const pieces = [{ ...first, text: text ?? first.text }, ...rest].map((section) =>
    section.encoded ? percentDecoded(section.text) : Buffer.from(section.text),
  );
  return decodeCharset(Buffer.concat(pieces), charset ?? 'utf-8');
}

function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
