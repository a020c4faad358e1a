import { createHash } from 'node:crypto';
import { safeDeclarations } from './css/declarations.ts';
import { readMarkup } from './markup.ts';

/**
 * The class that stands for a style attribute; null where nothing of it stays. The page forbids style attributes, so
 * they become rules (see styleRules).
 */
export function styleClass(style: string | undefined): string | null {
  const declarations = style === undefined ? '' : safeDeclarations(style);
  return declarations === '' ? null : classFor(declarations);
}

/** The rules for the style attributes of a layout, for the style element of the page. */
export function styleRules(html: string, scope: string): string {
  const rules = readMarkup(html).flatMap((mark) => {
    const declarations = mark.kind === 'open' ? safeDeclarations(mark.attributes.style ?? '') : '';
    return declarations === '' ? [] : [`${scope} .${classFor(declarations)}{${declarations}}`];
  });
  return [...new Set(rules)].join('');
}

function classFor(declarations: string): string {
  return `layout-style-${createHash('sha256').update(declarations).digest('hex').slice(0, 16)}`;
}
