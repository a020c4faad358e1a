/** Whoever came first is overtaken by so many at most. */
const MOST_AHEAD = 16;

/** Takes what is small before what is large, so that nothing waits long behind what takes longer than itself. */
export class SmallestFirst<Item> {
  /** In the order in which they came. */
  readonly #waiting: { size: number; item: Item }[] = [];
  #overtook = 0;

  add(size: number, item: Item): void {
    this.#waiting.push({ size, item });
  }

  take(): Item | undefined {
    const at = this.#overtook < MOST_AHEAD ? this.#smallest() : 0;
    this.#overtook = at === 0 ? 0 : this.#overtook + 1;
    return this.#waiting.splice(at, 1)[0]?.item;
  }

  #smallest(): number {
    const sizes = this.#waiting.map(({ size }) => size);
    return Math.max(0, sizes.indexOf(Math.min(...sizes)));
  }
}
