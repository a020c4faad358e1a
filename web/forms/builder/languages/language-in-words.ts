const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** What a language is called, by its tag. */
export function languageInWords(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
