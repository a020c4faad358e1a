import { type Block, type CssNode, type Declaration, type DeclarationList, generate, walk } from 'css-tree';
import { ownName } from '../own-name.ts';
import { isNestedTooDeep } from './depth.ts';
import { parseCss } from './parse.ts';
import { PROPERTIES } from './properties.ts';
import { isSafeValue } from './values.ts';

const LONGEST_STYLE = 10_000;
const CUSTOM = /^--[\w-]{1,100}$/;

/** The declarations of a style attribute that stay. */
export function safeDeclarations(style: string): string {
  if (style.trim() === '' || style.length > LONGEST_STYLE || isNestedTooDeep(style)) return '';
  const list = parseCss(style, 'declarationList');
  return writeDeclarations(list as DeclarationList, new Set());
}

/** Writes those declarations that are safe; the animations of a customer bear names of their own. */
export function writeDeclarations({ children }: DeclarationList | Block, animations: ReadonlySet<string>): string {
  return children
    .toArray()
    .filter(isSafeDeclaration)
    .map((declaration) => writeDeclaration(declaration, animations))
    .filter((written) => !written.includes('</'))
    .join(';');
}

/** Whether a part of a block is a declaration with a property and a value that may stand. */
export function isSafeDeclaration(node: CssNode): node is Declaration {
  if (node.type !== 'Declaration' || node.value.type !== 'Value') return false;
  if (typeof node.important === 'string') return false;
  const property = node.property.toLowerCase();
  return (PROPERTIES.has(property) || CUSTOM.test(node.property)) && isSafeValue(property, node.value);
}

function writeDeclaration({ property, value, important }: Declaration, animations: ReadonlySet<string>): string {
  if (/^animation(-name)?$/i.test(property)) {
    walk(value, (part) => {
      if (part.type === 'Identifier' && animations.has(part.name)) part.name = ownName(part.name);
    });
  }
  return `${property}:${generate(value)}${important === true ? '!important' : ''}`;
}
