import { isPlain, type Plain } from '../model/compile/settings.ts';
import type { QuestionKind } from '../model/form-model.ts';
import { extensionsOf, ownValue, STANDARD, valueOf } from './extensions.ts';
import type { Noting } from './reading-notes.ts';

export type ItemKind = QuestionKind | 'page' | 'section' | 'heading' | 'group';

/** The types under which we write each kind; an item that was given another one since is read by that. */
const WRITTEN_AS: Record<ItemKind, string> = {
  page: 'group display',
  section: 'group display',
  heading: 'display',
  group: 'group display',
  text: 'string',
  long_text: 'text',
  number: 'integer decimal',
  email: 'string',
  phone: 'string',
  time: 'time',
  address: 'group',
  date: 'date',
  select: 'choice open-choice',
  radio: 'choice open-choice',
  checkboxes: 'choice open-choice',
  yes_no: 'boolean',
  rating: 'integer',
  matrix: 'group display',
  file: 'attachment',
  signature: 'attachment',
  consent: 'boolean',
  hidden: 'string',
  unknown: 'string',
  calculated: 'boolean decimal string',
};

/** More choices than these stand in a list that opens. */
const MOST_RADIOS = 10;

/** The kind of an item that we wrote; null for those of others. */
export function ownKind(item: Plain): ItemKind | null {
  const kind = ownValue(item, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(WRITTEN_AS, kind)) return null;
  return WRITTEN_AS[kind as ItemKind].split(' ').includes(String(item['type'])) ? (kind as ItemKind) : null;
}

/** What an item is to us, whoever wrote it. */
export function kindOf(item: Plain, notes: Noting): ItemKind {
  const own = ownKind(item);
  if (own !== null) return own;
  const type = String(item['type']);
  if (type === 'display') return 'heading';
  if (type === 'group') return item['repeats'] === true ? 'group' : hasControl(item, 'page') ? 'page' : 'section';
  if (valueOf(item, STANDARD.hidden) === true) return 'hidden';
  if (item['readOnly'] === true || valueOf(item, STANDARD.calculated) !== undefined) {
    notes.add(item, 'what is filled in by a calculation or from a record is kept as a hidden question');
    return 'hidden';
  }
  return kindOfType(item, type, notes);
}

function kindOfType(item: Plain, type: string, notes: Noting): ItemKind {
  switch (type) {
    case 'boolean':
      return 'yes_no';
    case 'integer':
      return hasControl(item, 'slider') && hasRange(item) ? 'rating' : 'number';
    case 'quantity':
      notes.add(item, 'a quantity is asked as a number, with its unit in the label');
      return 'number';
    case 'decimal':
      return 'number';
    case 'dateTime':
      notes.add(item, 'the date is asked, and not the time of day');
      return 'date';
    case 'date':
    case 'time':
      return type;
    case 'text':
      return 'long_text';
    case 'string':
    case 'url':
      return 'text';
    case 'choice':
    case 'open-choice':
      return kindOfChoice(item);
    case 'attachment':
      return extensionsOf(item, STANDARD.signatureRequired).length > 0 ? 'signature' : 'file';
    case 'reference':
      notes.add(item, 'a reference to a record is asked as a text');
      return 'text';
    default:
      notes.add(item, 'the type is not known: taken as a text');
      return 'text';
  }
}

function kindOfChoice(item: Plain): ItemKind {
  if (item['repeats'] === true) return 'checkboxes';
  if (hasControl(item, 'radio-button')) return 'radio';
  const options = Array.isArray(item['answerOption']) ? item['answerOption'].length : MOST_RADIOS + 1;
  return hasControl(item, 'drop-down') || hasControl(item, 'autocomplete') || options > MOST_RADIOS
    ? 'select'
    : 'radio';
}

/** Whether an item is to be shown in a way that FHIR has a code for. */
export function hasControl(item: Plain, code: string): boolean {
  const concept = valueOf(item, STANDARD.itemControl);
  const codings = isPlain(concept) && Array.isArray(concept['coding']) ? concept['coding'] : [];
  return codings.some((coding) => isPlain(coding) && coding['code'] === code);
}

function hasRange(item: Plain): boolean {
  return [STANDARD.minValue, STANDARD.maxValue].every((url) => typeof valueOf(item, url) === 'number');
}
