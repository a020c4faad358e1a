import type { Choice, FormModel, Item, Page } from '../model/form-model.ts';
import { fhirText } from './fhir-text.ts';

/** The parts of an address that are asked one by one. */
export const ADDRESS_PARTS = [
  ['street', 'Street'],
  ['street2', 'Apartment, floor'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP code'],
  ['country', 'Country'],
] as const;

/**
 * The linkIds of everything in a form, each only once. They are its ids, unless two things have the same one. What is the
 * same thing in another language has the same linkId.
 */
export class LinkIds {
  readonly #ids = new Map<Item | Page, string>();
  readonly #taken = new Set<string>();
  readonly #counted = new Map<string, number>();
  /** The linkIds of help in whatever language, by those of the questions. */
  readonly #help = new Map<string, string>();

  constructor(model: FormModel, translations: readonly FormModel[] = []) {
    for (const page of model.pages) this.#add(page, '');
    const own = everythingIn(model);
    for (const each of [model, ...translations]) {
      for (const [at, item] of everythingIn(each).entries()) {
        const linkId = this.of(own[at] ?? item);
        this.#ids.set(item, linkId);
        if (this.#help.has(linkId) || !('help' in item) || fhirText(item.help) === undefined) continue;
        this.#help.set(linkId, each === model ? `${linkId}.help` : this.#free(`${linkId}.help`));
      }
    }
  }

  of(item: Item | Page): string {
    return this.#ids.get(item) ?? item.id;
  }

  /** The linkId of the help of an item; null where it has none in any language. */
  help(item: Item | Page): string | null {
    return this.#help.get(this.of(item)) ?? null;
  }

  /** The linkId of a part within an item: a row, a part of an address. */
  part(item: Item | Page, part: string): string {
    return `${this.of(item)}.${fhirText(part) ?? ''}`;
  }

  row(item: Item, { value }: Choice): string {
    return this.part(item, value);
  }

  #add(item: Item | Page, prefix: string): void {
    const wanted = prefix + (fhirText(item.id) ?? 'item');
    let id = wanted;
    for (let again = this.#firstFree(wanted); this.#isTaken(item, id); again += 1) id = `${wanted}-${again}`;
    for (const each of [id, ...partsOf(item).map((part) => `${id}.${part}`)]) this.#taken.add(each);
    this.#ids.set(item, id);
    const inner = 'items' in item ? item.items : [];
    const below = 'kind' in item && item.kind === 'group' ? `${id}.` : '';
    for (const each of inner) this.#add(each, below || prefix);
  }

  /** Where to go on counting, as thousands may have one id. */
  #firstFree(wanted: string): number {
    let again = this.#counted.get(wanted) ?? 2;
    while (this.#taken.has(`${wanted}-${again}`)) again += 1;
    this.#counted.set(wanted, again);
    return again;
  }

  /** For help that only a translation has: nothing was kept free for it. */
  #free(wanted: string): string {
    let id = wanted;
    for (let again = 2; this.#taken.has(id); again += 1) id = `${wanted}-${again}`;
    return id;
  }

  #isTaken(item: Item | Page, id: string): boolean {
    return [id, ...partsOf(item).map((part) => `${id}.${part}`)].some((each) => this.#taken.has(each));
  }
}

/** Pages and items in their order, which is that of every translation too. */
function everythingIn({ pages }: FormModel): (Item | Page)[] {
  const below = (item: Item | Page): (Item | Page)[] =>
    'items' in item ? [item, ...item.items.flatMap(below)] : [item];
  return pages.flatMap(below);
}

function partsOf(item: Item | Page): string[] {
  const help = 'help' in item && item.help !== null ? ['help'] : [];
  if (!('kind' in item)) return help;
  if (item.kind === 'consent') return [...help, 'consent'];
  if (item.kind === 'address') return [...help, ...ADDRESS_PARTS.map(([part]) => part)];
  return item.kind === 'matrix' ? [...help, ...item.rows.map(({ value }) => fhirText(value) ?? '')] : help;
}
