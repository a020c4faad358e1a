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
  | { readonly at: 'header' | 'text' | 'rcdata' }
  | { readonly at: 'quoted'; readonly url: UrlPart | null }
  | { readonly at: 'unquoted'; readonly url: UrlPart | null; readonly first: boolean };

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly of: Reference; readonly raw: boolean; readonly place: Place }
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly negated: boolean;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | {
      readonly kind: 'each' | 'with';
      readonly of: Reference;
      readonly params: readonly string[];
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };
