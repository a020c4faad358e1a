import type { Part } from './parts.ts';

/** Those of the parts in both versions that stand elsewhere now: in another place, or in another order there. */
export function movedParts(before: ReadonlyMap<string, Part>, after: readonly Part[]): Part[] {
  const stayed: Part[] = [];
  const moved: Part[] = [];
  for (const part of after) {
    const old = before.get(part.key);
    if (old === undefined) continue;
    (old.parent?.key === part.parent?.key ? stayed : moved).push(part);
  }
  const order = new Map([...before.keys()].map((key, i) => [key, i]));
  for (const siblings of Map.groupBy(stayed, ({ parent }) => parent).values()) {
    const places = siblings.map(({ key }) => order.get(key) ?? 0);
    const kept = longestRise(places);
    moved.push(...siblings.filter((_, i) => !kept.has(i)));
  }
  return moved;
}

/** Which of some numbers make the longest rising row among them. */
function longestRise(numbers: readonly number[]): Set<number> {
  // The last of the shortest-ended row of each length, and what stands before each number in its row.
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [i, number] of numbers.entries()) {
    const found = ends.findIndex((end) => (numbers[end] ?? 0) >= number);
    const length = found === -1 ? ends.length : found;
    before.set(i, ends[length - 1]);
    ends[length] = i;
  }
  const row = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) row.add(at);
  return row;
}
