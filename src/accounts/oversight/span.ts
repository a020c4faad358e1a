/** A span of time of one customer, or of the installation. */
export interface Span {
  customerId: number;
  from: Date;
  to: Date;
}

/** How many rows one statement reads. */
export const PAGE = 200;

/** All rows that fit, the latest first: page by page, each from before the last id of the one before. */
export async function allPages<T extends { id: string }>(read: (before: string | null) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read(all.at(-1)?.id ?? null);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
