import type { Position } from './mistake.ts';

/** What a mustache looks up, and the name by which people know it (null where it is no variable of theirs). */
export type Reference = { readonly keys: readonly string[]; readonly name: string | null } & (
  | { readonly from: 'context'; readonly up: number }
  | { readonly from: 'root' }
  | { readonly from: 'param'; readonly param: string }
  | { readonly from: 'loop'; readonly up: number; readonly field: LoopField }
);

export type LoopField = 'index' | 'first' | 'last' | 'key';

export type Condition = Reference | { readonly from: 'literal'; readonly value: unknown };

/** Where in a URL a value stands: at its beginning, right behind a variable beginning, in the path, or in the query. */
export type UrlPart = 'start' | 'continued' | 'path' | 'query';

/** Where a value will be written, which decides how it is escaped. */
export type Place =
  | { readonly at: 'header' | 'plain' | 'text' | 'rcdata' }
  | { readonly at: 'quoted'; readonly url: UrlPart | null }
  | { readonly at: 'unquoted'; readonly url: UrlPart | null; readonly first: boolean };

/** Where a mustache begins, as the parser counts, and its place in the HTML; null where no value could stand. */
interface Placed<P extends Place | null> {
  readonly begins: Position;
  readonly place: P;
}

export type Node =
  /** `leadsOut`: whether a URL begins in it that something is loaded from or a link leads to. */
  | { readonly kind: 'text'; readonly text: string; readonly leadsOut: boolean }
  | (Placed<Place> & {
      readonly kind: 'value';
      readonly of: Reference;
      readonly raw: boolean;
      /** What is written where the value is missing or empty. */
      readonly fallback: string | null;
    })
  | (Placed<Place | null> & {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly negated: boolean;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    })
  | (Placed<Place | null> & {
      readonly kind: 'each' | 'with';
      readonly of: Reference;
      readonly params: readonly string[];
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    });
