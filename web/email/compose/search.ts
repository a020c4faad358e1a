/** Which template to begin with. */
interface ComposeSearch {
  template?: number;
}

/** Reads from an address which template to begin with. */
export function readComposeSearch(raw: Record<string, unknown>): ComposeSearch {
  const id = Number(raw.template);
  return Number.isInteger(id) && id > 0 ? { template: id } : {};
}
