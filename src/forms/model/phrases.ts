/** A sentence with `{n}` where a value goes; with one form for each plural that its language has. */
export type Phrase = string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>);

/** Says a sentence in the language of whoever reads it. */
export type Say<Key extends string> = (key: Key, value?: number | string) => string;

/** Makes the voice of a language from its sentences. */
export function voiceOf<Key extends string>(language: string, phrases: Readonly<Record<Key, Phrase>>): Say<Key> {
  const plurals = new Intl.PluralRules(language);
  return (key, value = '') => {
    const phrase = phrases[key];
    const text = typeof phrase === 'string' ? phrase : (phrase[plurals.select(Number(value))] ?? phrase.other);
    return text.replace('{n}', () => String(value));
  };
}
