import { type CssNode, fork } from 'css-tree';

/** The part of a parser of css-tree that what follows changes. */
interface Parser {
  error: () => never;
  StyleSheet: () => CssNode;
  DeclarationList: () => CssNode;
}

const MISTAKE = new Error('not CSS');

/**
 * The parser of css-tree 3.2.1 writes about each mistake with the whole text in lines, though nobody reads it: so all
 * mistakes are one here, as else those of 60 KB take a minute.
 */
const { parse } = fork({
  // @ts-expect-error @types/css-tree lacks parseContext, which css-tree takes.
  parseContext: {
    stylesheet(this: Parser) {
      this.error = stumble;
      return this.StyleSheet();
    },
    declarationList(this: Parser) {
      this.error = stumble;
      return this.DeclarationList();
    },
  },
});

/**
 * Reads CSS. The parser also looks at what an earlier text left behind one place past the end of this one, and can then
 * run for ever over a bracket that closes nothing: so that place is written over first.
 */
export function parseCss(css: string, context: 'stylesheet' | 'declarationList'): CssNode {
  parse(';'.repeat(css.length + 1), { context: 'declarationList' });
  return parse(css, { context, parseCustomProperty: true });
}

function stumble(): never {
  throw MISTAKE;
}
