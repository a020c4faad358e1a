export type Plain = Record<string, unknown>;

/** Whether a value is an object that is not a list. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A word without case, spaces, dashes and underscores, so that `min_length` and `minLength` are one. */
export function folded(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The text that a value is; numbers are written out, blanks are none. */
export function textIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

const NESTED = ['properties', 'validate', 'validation'];

/** The settings of an element, which stand on it or under its `properties`, with keys of any spelling. */
export class Settings {
  readonly #values = new Map<string, unknown>();

  constructor(element: Plain) {
    this.#add(element, 2);
  }

  /** The first setting that is there, by folded keys. */
  get(...keys: string[]): unknown {
    return keys.map((key) => this.#values.get(key)).find((value) => value !== undefined && value !== null);
  }

  text(...keys: string[]): string | null {
    return keys.map((key) => textIn(this.#values.get(key))).find((text) => text !== null) ?? null;
  }

  /** A number, or a text that writes one. */
  number(...keys: string[]): number | null {
    const number = Number(this.text(...keys) ?? Number.NaN);
    return Number.isFinite(number) ? number : null;
  }

  flag(...keys: string[]): boolean {
    const value = this.get(...keys);
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
  }

  list(...keys: string[]): unknown[] | null {
    return keys.map((key) => this.#values.get(key)).find((value) => Array.isArray(value)) ?? null;
  }

  #add(source: Plain, deeper: number): void {
    for (const [key, value] of Object.entries(source)) {
      if (!this.#values.has(folded(key))) this.#values.set(folded(key), value);
    }
    if (deeper === 0) return;
    for (const key of NESTED) {
      const nested = Object.hasOwn(source, key) ? source[key] : undefined;
      if (isPlain(nested)) this.#add(nested, deeper - 1);
    }
  }
}
