import { readChoices } from '../../../../src/forms/model/compile/choices.ts';
import { CHOICE_KEYS } from '../../../../src/forms/model/compile/element-kind.ts';
import { Reading } from '../../../../src/forms/model/compile/notes.ts';
import { isPlain } from '../../../../src/forms/model/compile/settings.ts';
import type { Choice } from '../../../../src/forms/model/form-model.ts';
import { slugsOf } from '../../../../src/forms/model/slug.ts';
import type { Draft, Element } from './draft.ts';
import { type ElementKind, isAsked, kindOfElement } from './kinds.ts';
import { groupAround, labelOf, nameOf } from './names.ts';
import { settingsOf } from './settings.ts';
import { allElements } from './tree.ts';

/** A question of which a condition or a formula can speak. */
export interface Known {
  key: string;
  name: string;
  id: string;
  label: string;
  kind: ElementKind;
  choices: Choice[];
}

/** The questions that an element may speak of: all outside of groups, and those of its own group; never itself. */
export function questionsFor(draft: Draft, key: string | null): Known[] {
  const own = groupAround(draft, key);
  return allElements(draft)
    .filter(({ element, around }) => {
      const group = around.find((each) => kindOfElement(each) === 'group');
      return element.key !== key && isAsked(element) && (group === undefined || group.key === own?.key);
    })
    .flatMap(({ element }) => {
      const name = nameOf(element);
      return name === null ? [] : [knownOf(element, name)];
    });
}

/** The question that a word in an expression stands for: by name, else by id, else by slug. */
export function questionOf(questions: readonly Known[], word: string): Known | undefined {
  return (
    questions.find(({ name }) => name === word) ??
    questions.find(({ id }) => id === word) ??
    questions.find(({ name }) => slugsOf(name).includes(word))
  );
}

/** What a question offers to choose from. */
function choicesOf({ raw }: Element): Choice[] {
  const settings = settingsOf(raw);
  const data = settings.get('data');
  const nested = isPlain(data) && Array.isArray(data['values']) ? (data['values'] as unknown[]) : null;
  return readChoices(new Reading(), '', settings.list(...CHOICE_KEYS) ?? nested);
}

function knownOf(element: Element, name: string): Known {
  const kind = kindOfElement(element);
  const hasChoices = kind === 'select' || kind === 'radio' || kind === 'checkboxes';
  return {
    key: element.key,
    name,
    id: settingsOf(element.raw).text('id', 'key') ?? name,
    label: labelOf(element),
    kind,
    choices: hasChoices ? choicesOf(element) : [],
  };
}
