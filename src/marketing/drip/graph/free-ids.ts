/** Makes ids of steps: s1, s2 and so on, but for those that are taken. */
export function freeIds(taken: ReadonlySet<string | undefined>): () => string {
  let last = 0;
  return () => {
    do last += 1;
    while (taken.has(`s${last}`));
    return `s${last}`;
  };
}
