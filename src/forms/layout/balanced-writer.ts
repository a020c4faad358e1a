import { BLOCKS, CELLS, FRAMEWORK, HEADINGS, PARENTS, VOID } from './elements.ts';

const DEEPEST = 100;
const PARAGRAPH = new Set(['p']);
const NOT_AROUND_FIELDS = new Set(['p', 'a', ...HEADINGS]);

interface Entry {
  name: string;
  /** Whether its end is still to be written. */
  open: boolean;
}

/**
 * Writes elements so that a browser builds exactly the tree that is meant: an element that it would move, close early
 * or leave out where it stands is not written, only its content. So nothing of a layout ends what stands around it.
 */
export class BalancedWriter {
  /** Every element that has begun; null for one of which nothing is written. */
  readonly #begun: (Entry | null)[] = [];
  /** Those whose end is still to be written. */
  readonly #open: Entry[] = [];
  readonly #write: (html: string) => void;

  constructor(write: (html: string) => void) {
    this.#write = write;
  }

  /** Begins an element; its attributes are written already. */
  open(name: string, attributes: string): void {
    if (BLOCKS.has(name)) this.#leave(PARAGRAPH);
    if (!this.#mayStand(name)) return this.pass();
    this.#write(`<${name}${attributes}>`);
    if (VOID.has(name)) return this.pass();
    const entry = { name, open: true };
    this.#begun.push(entry);
    this.#open.push(entry);
  }

  /** Begins an element of which nothing is written. */
  pass(): void {
    this.#begun.push(null);
  }

  /** Ends the element that began last. */
  close(): void {
    if (this.#begun.pop()?.open === true) this.#end();
  }

  text(escaped: string): void {
    if (!FRAMEWORK.has(this.#parent) || /^\s*$/.test(escaped)) this.#write(escaped);
  }

  /** Makes room for a question: false where a browser would move it elsewhere. */
  makeRoom(): boolean {
    if (FRAMEWORK.has(this.#parent)) return false;
    this.#leave(NOT_AROUND_FIELDS);
    return true;
  }

  get #parent(): string {
    return this.#open.at(-1)?.name ?? '';
  }

  #mayStand(name: string): boolean {
    const parent = this.#parent;
    const parents = PARENTS[name];
    if (this.#open.length >= DEEPEST) return false;
    if (parents !== undefined) return parents.has(parent);
    if (FRAMEWORK.has(parent)) return false;
    if (HEADINGS.has(name) && HEADINGS.has(parent)) return false;
    return name !== 'a' || this.#open.every((entry) => entry.name !== 'a');
  }

  /** Ends the outermost open element of those names within the same cell, and all within it. */
  #leave(names: ReadonlySet<string>): void {
    const cell = this.#open.findLastIndex(({ name }) => CELLS.has(name));
    const first = this.#open.findIndex(({ name }, place) => place > cell && names.has(name));
    if (first >= 0) for (let left = this.#open.length - first; left > 0; left -= 1) this.#end();
  }

  #end(): void {
    const entry = this.#open.pop() as Entry;
    entry.open = false;
    this.#write(`</${entry.name}>`);
  }
}
