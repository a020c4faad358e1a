import type { Choice } from '../form-model.ts';
import { MOST_CHOICES, type Reading } from './notes.ts';
import { isPlain, Settings, textIn } from './settings.ts';

/** The choices in a list of texts, numbers or objects; those that say nothing or stand there twice are left out. */
export function readChoices(reading: Reading, path: string, list: readonly unknown[] | null): Choice[] {
  const choices = new Map<string, Choice>();
  for (const [i, entry] of (list ?? []).entries()) {
    if (choices.size === MOST_CHOICES) {
      reading.note(path, `a question may have at most ${MOST_CHOICES} choices`);
      break;
    }
    const choice = readChoice(entry);
    if (choice === null) reading.note(`${path}[${i}]`, 'a choice without a value is ignored');
    else if (choices.has(choice.value)) reading.note(`${path}[${i}]`, 'the same choice stands here twice');
    else choices.set(choice.value, choice);
  }
  return [...choices.values()];
}

function readChoice(entry: unknown): Choice | null {
  if (!isPlain(entry)) {
    const value = typeof entry === 'boolean' ? String(entry) : textIn(entry);
    return value === null ? null : { value, label: value, score: null };
  }
  const settings = new Settings(entry);
  const own = settings.get('value', 'const');
  const value = typeof own === 'boolean' ? String(own) : settings.text('value', 'const', 'id', 'name', 'label', 'text');
  if (value === null) return null;
  const label = settings.text('label', 'text', 'title', 'name') ?? value;
  const constant = constantOf(value, settings.get('const'));
  return { value, label, score: settings.number('score', 'points'), ...(constant === null ? {} : { constant }) };
}

/** `const` is the word of JSON Schema for a value of which the type matters too. */
function constantOf(value: string, constant: unknown): number | boolean | null {
  if (typeof constant !== 'boolean' && (typeof constant !== 'number' || !Number.isFinite(constant))) return null;
  return String(constant) === value ? constant : null;
}

/** The same choices, each standing for its text. */
export function asTexts(choices: readonly Choice[]): Choice[] {
  return choices.map(({ constant: _constant, ...choice }) => choice);
}
