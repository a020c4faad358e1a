import type { LinkKind, LinkToken } from './token.ts';

/** Somebody or something that came by a link. */
export interface LinkVisit extends LinkToken<LinkKind> {
  byMachine: boolean;
  /** What a form on the page sent; empty where it sent none. */
  form: Record<string, unknown>;
}

/**
 * What a link answers with; null where nothing is known of it. Nothing was done by a page with a status: it could not be read
 * what was asked, or nothing is left to do it.
 */
export type LinkAnswer = { page(nonce: string): string; status?: 400 | 410 } | { redirect: string } | 'picture' | null;

type Answering = (visit: LinkVisit) => Promise<LinkAnswer>;

/** What one kind of link leads to. */
export interface LinkHandler {
  /** Answers whoever follows the link. Mail filters follow every one: this may count, and change nothing else. */
  follow: Answering;
  /** Does what a POST to the link asks for; kinds without it take none. */
  act?: Answering;
}

export type LinkHandlers<Kinds extends LinkKind = LinkKind> = Record<Kinds, LinkHandler>;
