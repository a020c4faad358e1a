interface Item {
  sameAs: string;
}

/**
 * Pairs what is the same in two lists, in the order in which it stands in both. As many of those that weigh are paired as
 * can be, and then as many of the others.
 */
export function pairInOrder<One extends Item, Other extends Item>(
  ones: readonly One[],
  others: readonly Other[],
  weighs: (one: One) => boolean,
): [One, Other][] {
  const heavy = ones.length + 1;
  const rest = restsOf(ones, others, (one) => (weighs(one) ? heavy : 1));
  const pairs: [One, Other][] = [];
  let [at, beside] = [0, 0];
  while (at < ones.length && beside < others.length) {
    const [one, other] = [ones[at] as One, others[beside] as Other];
    if (one.sameAs === other.sameAs) {
      pairs.push([one, other]);
      at += 1;
      beside += 1;
    } else if (rest(at + 1, beside) >= rest(at, beside + 1)) at += 1;
    else beside += 1;
  }
  return pairs;
}

/** What the pairs weigh that can be made of what is left of both lists from a place in each. */
function restsOf<One extends Item>(
  ones: readonly One[],
  others: readonly Item[],
  weightOf: (one: One) => number,
): (at: number, beside: number) => number {
  const width = others.length + 1;
  const rests = new Uint32Array((ones.length + 1) * width);
  const rest = (at: number, beside: number) => rests[at * width + beside] as number;
  for (let at = ones.length - 1; at >= 0; at -= 1) {
    const one = ones[at] as One;
    for (let beside = others.length - 1; beside >= 0; beside -= 1) {
      rests[at * width + beside] =
        one.sameAs === (others[beside] as Item).sameAs
          ? weightOf(one) + rest(at + 1, beside + 1)
          : Math.max(rest(at + 1, beside), rest(at, beside + 1));
    }
  }
  return rest;
}
