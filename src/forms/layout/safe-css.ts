import { type Atrule, type CssNode, find, generate, type Rule, type StyleSheet } from 'css-tree';
import { isSafeDeclaration, writeDeclarations } from './css/declarations.ts';
import { isNestedTooDeep } from './css/depth.ts';
import { parseCss } from './css/parse.ts';
import { scopedSelectors } from './css/selectors.ts';
import { ownName } from './own-name.ts';

const LONGEST = 1_048_576;
const LONGEST_WRITTEN = 2 * LONGEST;
/** What @media and @supports are written in. */
const CONDITION = /^[\w\s():,.<>=%/*+#-]+$/;
const CONDITION_PARTS = new Set(
  `AtrulePrelude Condition Declaration Dimension Feature FeatureRange Function Hash Identifier MediaQuery MediaQueryList
  Number Operator Parentheses Percentage Ratio SupportsDeclaration Value`.split(/\s+/),
);
const NAME = /^[\w-]{1,100}$/;
const FRAMES = /^(from|to|\d+(\.\d+)?%)(,(from|to|\d+(\.\d+)?%))*$/i;

interface Page {
  scope: string;
  animations: ReadonlySet<string>;
}

/**
 * Writes a customer's style sheet anew from what only changes looks, for what stands in `scope` alone: it loads
 * nothing, and tells nobody what was typed. It can stand in a style element.
 */
export function safeCss(css: string, scope: string): string {
  if (css.length > LONGEST || isNestedTooDeep(css)) return '';
  const { children } = parseCss(css, 'stylesheet') as StyleSheet;
  const nodes = children.toArray();
  const animations = new Set<string>();
  for (const node of nodes) if (node.type === 'Atrule') animations.add(animationName(node) ?? '');
  return writeRules(nodes, { scope, animations });
}

function writeRules(nodes: CssNode[], page: Page): string {
  let written = '';
  for (const node of nodes) {
    const rule = node.type === 'Rule' ? writeRule(node, page) : node.type === 'Atrule' ? writeAtRule(node, page) : '';
    if (written.length + rule.length > LONGEST_WRITTEN) break;
    if (!rule.includes('</')) written += rule;
  }
  return written;
}

function writeRule({ prelude, block }: Rule, { scope, animations }: Page): string {
  if (prelude.type !== 'SelectorList') return '';
  const selectors = scopedSelectors(prelude, scope);
  const declarations = selectors.length === 0 ? '' : writeDeclarations(block, animations);
  return declarations === '' ? '' : `${selectors.join(',')}{${declarations}}`;
}

function writeAtRule(rule: Atrule, page: Page): string {
  const { name, prelude, block } = rule;
  if (block === null || prelude === null) return '';
  const animation = animationName(rule);
  if (animation !== null) return `@keyframes ${ownName(animation)}{${writeFrames(block.children.toArray(), page)}}`;
  const kind = name.toLowerCase();
  if ((kind !== 'media' && kind !== 'supports') || !isSafeCondition(prelude)) return '';
  const rules = writeRules(block.children.toArray(), page);
  return rules === '' ? '' : `@${kind} ${generate(prelude)}{${rules}}`;
}

function isSafeCondition(prelude: CssNode): boolean {
  return find(prelude, (part) => !isConditionPart(part)) === null && CONDITION.test(generate(prelude));
}

function isConditionPart(part: CssNode): boolean {
  return CONDITION_PARTS.has(part.type) && (part.type !== 'Declaration' || isSafeDeclaration(part));
}

/** The name of an animation that is described; null for any other rule. */
function animationName({ name, prelude }: Atrule): string | null {
  if (name.toLowerCase() !== 'keyframes' || prelude === null) return null;
  const written = generate(prelude);
  return NAME.test(written) ? written : null;
}

function writeFrames(nodes: CssNode[], { animations }: Page): string {
  return nodes
    .map((node) => {
      const frame = node.type === 'Rule' ? generate(node.prelude) : '';
      return node.type === 'Rule' && FRAMES.test(frame) ? `${frame}{${writeDeclarations(node.block, animations)}}` : '';
    })
    .join('');
}
