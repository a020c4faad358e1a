import { isPlain, type Plain } from '../model/compile/settings.ts';
import { NO_LIMIT } from '../model/form-model.ts';
import { extensionsOf, ownUrl, ownValue, STANDARD, valueOf } from './extensions.ts';
import { hasControl, type ItemKind, ownKind } from './kinds-of-items.ts';
import { readMatrix, readOptions } from './read-options.ts';
import type { ReadingNotes } from './reading-notes.ts';

const MEGABYTE = 2 ** 20;

/** What a question of a kind has besides what every question has, as a form's own JSON says it. */
export function readRules(item: Plain, kind: ItemKind, notes: ReadingNotes): Plain {
  switch (kind) {
    case 'text':
    case 'long_text':
      return {
        min_length: valueOf(item, STANDARD.minLength),
        max_length: item['maxLength'],
        pattern: readPattern(item),
        format: ownValue(item, 'format'),
      };
    case 'number':
      return { ...readRange(item), whole: item['type'] === 'integer', multiple_of: ownValue(item, 'multiple-of') };
    case 'rating':
      return readRange(item);
    case 'date':
      return { min: readDateBound(item, STANDARD.minValue), max: readDateBound(item, STANDARD.maxValue) };
    case 'select':
    case 'radio':
      return { options: readOptions(item, notes), other: item['type'] === 'open-choice' };
    case 'checkboxes':
      return {
        options: readOptions(item, notes),
        other: item['type'] === 'open-choice',
        ...readOccurrences(item),
        unique_items: ownValue(item, 'unique'),
      };
    case 'group':
      return readOccurrences(item, ownKind(item) === null ? undefined : NO_LIMIT);
    case 'matrix':
      return { ...readMatrix(item, notes) };
    case 'file':
      return readFileRules(item);
    case 'yes_no':
      return { const: ownValue(item, 'only') };
    case 'consent':
      return { consent_text: consentText(item) };
    case 'calculated':
      return { formula: ownValue(item, 'formula') };
    case 'page':
    case 'section':
    case 'heading':
    case 'email':
    case 'phone':
    case 'time':
    case 'address':
    case 'signature':
    case 'hidden':
    case 'unknown':
      return {};
    default:
      return kind satisfies never;
  }
}

/** How many times something is answered; a group of ours that says nothing has no limit. */
export function readOccurrences(item: Plain, otherwise?: number): Plain {
  return { min: valueOf(item, STANDARD.minOccurs), max: valueOf(item, STANDARD.maxOccurs) ?? otherwise };
}

function readRange(item: Plain): Plain {
  return { min: valueOf(item, STANDARD.minValue), max: valueOf(item, STANDARD.maxValue) };
}

/** A pattern of others is meant for the whole text, where ours is searched for in it. */
function readPattern(item: Plain): unknown {
  const pattern = valueOf(item, STANDARD.regex);
  return ownKind(item) !== null || typeof pattern !== 'string' ? pattern : `^(?:${pattern})$`;
}

/** A bound that is no date but an expression is today, which is the only one known. */
function readDateBound(item: Plain, url: string): unknown {
  const [bound] = extensionsOf(item, url);
  const expression = valueOf(bound?.['_valueDate'], STANDARD.cqfExpression);
  if (isPlain(expression) && expression['expression'] === 'today()') return 'today';
  const value = valueOf(item, url);
  return typeof value === 'string' ? value.slice(0, 10) : undefined;
}

function readFileRules(item: Plain): Plain {
  const most = valueOf(item, STANDARD.maxOccurs);
  const size = valueOf(item, STANDARD.maxSize);
  const own = texts(extensionsOf(item, ownUrl('accept')));
  return {
    max_files: most ?? (item['repeats'] === true ? undefined : 1),
    max_bytes: typeof size === 'number' ? Math.round(size * MEGABYTE) : undefined,
    accept: own.length > 0 ? own : texts(extensionsOf(item, STANDARD.mimeType)),
  };
}

function texts(extensions: Plain[]): unknown[] {
  return extensions.map((each) => each['valueString'] ?? each['valueCode']);
}

/** What is agreed to stands below the question. */
function consentText(item: Plain): unknown {
  const below = Array.isArray(item['item']) ? item['item'].filter(isPlain) : [];
  return below.find((each) => each['type'] === 'display' && !hasControl(each, 'help'))?.['text'];
}
