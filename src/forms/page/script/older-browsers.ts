/** What the form's rules call and phones of 2018 do not have; each is put where it is missing. */
const LACKING: [object, Record<string, (this: never, ...args: never[]) => unknown>][] = [
  [
    Array.prototype,
    {
      at(this: unknown[], index: number) {
        return this[index < 0 ? this.length + index : index];
      },
      findLastIndex(this: unknown[], fits: (one: unknown) => boolean) {
        for (let i = this.length - 1; i >= 0; i -= 1) if (fits(this[i])) return i;
        return -1;
      },
      flat(this: unknown[]) {
        return ([] as unknown[]).concat(...this);
      },
      flatMap(this: unknown[], change: (one: unknown, index: number) => unknown) {
        return ([] as unknown[]).concat(...this.map(change));
      },
    },
  ],
  [
    String.prototype,
    {
      replaceAll(this: string, part: string | RegExp, other: string) {
        return typeof part === 'string' ? this.split(part).join(other) : this.replace(part, other);
      },
    },
  ],
  [
    Object,
    {
      hasOwn: (of: object, key: string) => Object.prototype.hasOwnProperty.call(of, key),
      fromEntries: (entries: Iterable<[string, unknown]>) => {
        const made: Record<string, unknown> = {};
        for (const [key, value] of entries) {
          Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
        }
        return made;
      },
    },
  ],
  [
    iteratorPrototype(),
    {
      every(this: Iterable<unknown>, fits: (one: unknown) => boolean) {
        for (const one of this) if (!fits(one)) return false;
        return true;
      },
    },
  ],
];

/** Gives the browser what it lacks. */
export function makeUpForAge(): void {
  for (const [owner, members] of LACKING) {
    for (const [name, value] of Object.entries(members)) {
      if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
    }
  }
}

/** What the iterators of lists, maps and sets have in common. */
function iteratorPrototype(): object {
  return Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;
}
