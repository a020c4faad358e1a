import { createHash } from 'node:crypto';
import { safeDeclarations } from './css/declarations.ts';
import { type Mark, readMarkup } from './markup.ts';

/** How many styles a layout may have that are written differently: each of them is read on its own. */
export const MOST_STYLES = 2_000;
/** How many characters these may have together. */
export const MOST_IN_STYLES = 200_000;

/** The style attributes of a layout, and the class that stands for each; null where nothing of it stays. */
export interface Styles {
  classes: ReadonlyMap<string, string | null>;
  /** The declarations of each class. */
  rules: ReadonlyMap<string, string>;
  /** Whether there are more than a layout may have, which are left out. */
  areTooMany: boolean;
}

/** Reads the style attributes of a layout. The page forbids them, so they become rules of classes (see styleRules). */
export function readStyles(marks: readonly Mark[]): Styles {
  const classes = new Map<string, string | null>();
  const rules = new Map<string, string>();
  let characters = 0;
  for (const mark of marks) {
    const style = mark.kind === 'open' ? mark.attributes.style : undefined;
    if (style === undefined || classes.has(style)) continue;
    characters += style.length;
    if (classes.size === MOST_STYLES || characters > MOST_IN_STYLES) return { classes, rules, areTooMany: true };
    const declarations = safeDeclarations(style);
    const name = declarations === '' ? null : classFor(declarations);
    classes.set(style, name);
    if (name !== null) rules.set(name, declarations);
  }
  return { classes, rules, areTooMany: false };
}

/** The rules for the style attributes of a layout, for the style element of the page. */
export function styleRules(html: string, scope: string): string {
  const { rules } = readStyles(readMarkup(html));
  return [...rules].map(([name, declarations]) => `${scope} .${name}{${declarations}}`).join('');
}

function classFor(declarations: string): string {
  return `layout-style-${createHash('sha256').update(declarations).digest('hex').slice(0, 16)}`;
}
