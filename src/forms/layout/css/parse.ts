import { type CssNode, parse } from 'css-tree';

/**
 * Reads CSS. The parser of css-tree 3.2.1 looks at what an earlier text left behind one place past the end of this one,
 * and can then run for ever over a bracket that closes nothing: so that place is written over first.
 */
export function parseCss(css: string, context: 'stylesheet' | 'declarationList'): CssNode {
  parse(';'.repeat(css.length + 1), { context: 'declarationList' });
  return parse(css, { context, parseCustomProperty: true });
}
