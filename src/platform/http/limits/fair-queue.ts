/** Who somebody that waits belongs to: a network, and within it whoever names the same credentials. */
export interface Origin {
  network: string;
  caller: string;
}

/**
 * Takes networks in turn, and callers within a network, so that nobody waits for more than one of each of the others,
 * however many of theirs came before. Networks come first: credentials can be made up, as many as one likes.
 */
export class FairQueue<Item> {
  readonly #networks = new Map<string, Map<string, Item[]>>();

  get isEmpty(): boolean {
    return this.#networks.size === 0;
  }

  add({ network, caller }: Origin, item: Item): void {
    const callers = this.#networks.get(network) ?? new Map<string, Item[]>();
    this.#networks.set(network, callers);
    const items = callers.get(caller);
    if (items === undefined) callers.set(caller, [item]);
    else items.push(item);
  }

  take(): Item | undefined {
    for (const [network, callers] of this.#networks) {
      for (const [caller, items] of callers) {
        const item = items.shift();
        putBehind(callers, caller, items, items.length > 0);
        putBehind(this.#networks, network, callers, callers.size > 0);
        return item;
      }
    }
    return undefined;
  }
}

/** A map keeps the order in which its keys came: what is taken out and put in again stands last. */
function putBehind<Value>(map: Map<string, Value>, key: string, value: Value, isLeft: boolean): void {
  map.delete(key);
  if (isLeft) map.set(key, value);
}
