import type { Sheet } from '../../model/check/sheet.ts';
import type { Answers, FormModel, Item, Page } from '../../model/form-model.ts';
import { isRecord } from '../../model/normalise.ts';
import type { Today } from '../../model/today.ts';
import { Filling, isRequired } from '../render/filling.ts';

/** What becomes of a question while a form is filled in. */
export interface Standing {
  isAsked: boolean;
  isRequired: boolean;
  /** The normalised answer, or what a calculated question comes to. */
  answer: unknown;
}

/** What of a form is asked by answers that are still being typed. */
export class Asked {
  readonly #answers: Answers;
  readonly #filling: Filling;
  readonly #entries = new Map<string, Sheet | null>();

  constructor(model: FormModel, answers: Answers, today: Today) {
    this.#answers = answers;
    this.#filling = new Filling(model, answers, today);
  }

  /** The question of a plain path such as `medications.0.dose`; null where there is none. */
  question(path: string): Standing | null {
    const { sheet } = this.#filling;
    const own = standingIn(sheet, path);
    if (own !== null) return own;
    for (const [group, { isAsked }] of sheet.filled) {
      // Names may have dots themselves, so only that of a group tells where a path is cut.
      const [, entry = '', name = ''] = path.startsWith(`${group}.`) ? cut(path.slice(group.length + 1)) : [];
      const within = entry === '' ? null : standingIn(this.#entry(group, Number(entry)), name);
      if (within !== null) return { ...within, isAsked: isAsked && within.isAsked };
    }
    return null;
  }

  /** Whether a page, a section or a heading is shown, be it within an entry of a group. */
  isShown({ showWhen }: Item | Page, within: { group: string; entry: number } | null): boolean {
    if (showWhen === null) return true;
    const entry = within === null ? null : this.#entry(within.group, within.entry);
    return (entry ?? this.#filling.sheet).holds(showWhen);
  }

  #entry(name: string, place: number): Sheet | null {
    const key = `${place} ${name}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const group = this.#filling.sheet.filled.get(name)?.asking.question;
    const entry = [this.#answers[name]].flat()[place];
    const made = group?.kind === 'group' ? this.#filling.entryOf(group, isRecord(entry) ? entry : {}) : null;
    this.#entries.set(key, made);
    return made;
  }
}

function standingIn(sheet: Sheet | null, name: string): Standing | null {
  const filled = sheet?.filled.get(name);
  if (sheet === null || filled === undefined) return null;
  const { asking, isAsked, answer } = filled;
  return { isAsked, isRequired: isRequired(sheet, asking.question), answer };
}

function cut(path: string): readonly string[] {
  return /^(\d+)\.(.*)$/s.exec(path) ?? [];
}

/** Every page, section and heading of a form by its id. */
export function itemsById({ pages }: FormModel): Map<string, Item | Page> {
  const found = new Map<string, Item | Page>();
  const add = (item: Item | Page): void => {
    found.set(item.id, item);
    if ('items' in item) item.items.forEach(add);
  };
  pages.forEach(add);
  return found;
}
