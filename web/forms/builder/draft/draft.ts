import type { Plain } from '../../../../src/forms/model/compile/settings.ts';

/** Something that stands on a page of a form, as it is written there, with what stands inside of it apart. */
export interface Element {
  /** Names it while it is edited, and is written nowhere. */
  key: string;
  /** As the form has it; the list of what stands inside is empty here. */
  raw: unknown;
  /** Where in it that list lies; null where there is none. */
  childPath: readonly string[] | null;
  children: readonly Element[];
  /** Follows a page element with elements of its own, instead of standing in it. */
  outside?: true;
  /** Nobody has filled it in yet, so that its name may still follow its label. */
  fresh?: true;
}

/** A page of a form. */
export interface DraftPage {
  key: string;
  /** `first`: what stands before all page breaks; `entry`: one of `pages`; `break`: begins with an element among others. */
  kind: 'first' | 'entry' | 'break';
  raw: Plain;
  childPath: readonly string[] | null;
  items: readonly Element[];
}

export type Shape = 'pages' | 'fields' | 'body';

/** A form while somebody changes it: all that the builder does not know stays in it as it was. */
export interface Draft {
  title: string;
  description: string;
  recipient: string;
  listId: string;
  signable: boolean;
  signatureLabel: string;
  html: string;
  css: string;
  /** `form_json`; in place of its pages or fields is an empty list. */
  json: Plain;
  shape: Shape;
  pages: readonly DraftPage[];
}

let count = 0;

/** A key that nothing else in this window has. */
export function newKey(): string {
  count += 1;
  return `k${count}`;
}
