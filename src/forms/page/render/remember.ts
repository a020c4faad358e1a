const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Does the same work on the same text only once while it is among the last ones that were asked for, of which as many are
 * kept as have so many characters together.
 */
export function remembering<V>(work: (text: string) => V, mostCharacters = MOST_CHARACTERS): (text: string) => V {
  const kept = new Map<string, V>();
  let characters = 0;
  return (text) => {
    const known = kept.get(text);
    const value = known ?? work(text);
    // What was asked for last stands last.
    if (known === undefined) characters += text.length;
    else kept.delete(text);
    kept.set(text, value);
    for (const [oldest] of kept) {
      if (characters <= mostCharacters) break;
      kept.delete(oldest);
      characters -= oldest.length;
    }
    return value;
  };
}
