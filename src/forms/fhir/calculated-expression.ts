import type { Expression } from '../model/expression/syntax.ts';
import { writeExpression } from '../model/expression/write.ts';
import type { FindAsked } from './enable-when.ts';
import { ownText, STANDARD } from './extensions.ts';
import type { Extension, ItemType } from './resources.ts';

/** The type of what a formula comes to. */
export function typeOfFormula(formula: Expression): Extract<ItemType, 'boolean' | 'decimal' | 'string'> {
  switch (formula.kind) {
    case 'not':
    case 'and':
    case 'or':
    case 'in':
    case 'compare':
      return 'boolean';
    case 'negate':
    case 'reckon':
      return 'decimal';
    case 'call':
      return formula.name === 'empty' ? 'boolean' : 'decimal';
    case 'literal':
      return typeof formula.value === 'number' ? 'decimal' : typeof formula.value === 'boolean' ? 'boolean' : 'string';
    case 'answer':
      return 'string';
    default:
      return formula satisfies never;
  }
}

/** The formula in our words, and in FHIRPath where that comes to the same: sums and products of numbers and scores. */
export function calculatedExpression(formula: Expression, find: FindAsked): Extension[] {
  const expression = formula.kind === 'answer' ? null : fhirPath(formula, find);
  return [
    ...(expression === null
      ? []
      : [{ url: STANDARD.calculated, valueExpression: { language: 'text/fhirpath', expression } }]),
    ...ownText('formula', writeExpression(formula)),
  ];
}

function fhirPath(node: Expression, find: FindAsked): string | null {
  if (node.kind === 'literal') return typeof node.value === 'number' ? plain(node.value) : null;
  if (node.kind === 'answer') {
    const found = find(node.name);
    if (found?.question.kind !== 'number' && found?.question.kind !== 'rating') return null;
    return answerPath(found.linkId);
  }
  if (node.kind === 'call') {
    const [of] = node.args;
    const found = node.name === 'score' && of?.kind === 'answer' ? find(of.name) : undefined;
    const isOneChoice = found?.question.kind === 'select' || found?.question.kind === 'radio';
    return found !== undefined && isOneChoice ? `${answerPath(found.linkId)}.ordinal()` : null;
  }
  if (node.kind !== 'reckon') return null;
  const [left, right] = [fhirPath(node.left, find), fhirPath(node.right, find)];
  return left === null || right === null ? null : `(${left} ${node.sign} ${right})`;
}

function plain(value: number): string | null {
  return /^\d+(?:\.\d+)?$/.test(String(value)) ? String(value) : null;
}

function answerPath(linkId: string): string {
  const quoted = linkId.replaceAll(/[\\']/g, '\\$&');
  return `%resource.descendants().where(linkId = '${quoted}').answer.value`;
}
