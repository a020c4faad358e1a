import { planOfEntry, planOfForm } from '../../model/check/plan.ts';
import { scoreOf } from '../../model/check/score.ts';
import { Sheet } from '../../model/check/sheet.ts';
import type { Facts } from '../../model/expression/evaluate.ts';
import type { Answers, FormModel, Question, RepeatingGroup } from '../../model/form-model.ts';
import type { Today } from '../../model/today.ts';

/** What the answers so far make of a form, also within the entries of its groups. */
export class Filling {
  readonly sheet: Sheet;
  readonly #model: FormModel;
  readonly #today: Today;

  constructor(model: FormModel, answers: Answers, today: Today) {
    this.#model = model;
    this.#today = today;
    this.sheet = new Sheet(planOfForm(model), answers, { answer: () => undefined, score: () => undefined, today });
  }

  /** One entry of a group, be it as blank as a page shows it at first. */
  entryOf(group: RepeatingGroup, answers: Answers): Sheet {
    return new Sheet(planOfEntry(group), answers, this.#around(group));
  }

  /** What an entry sees of the questions around its group. */
  #around({ name: own }: RepeatingGroup): Facts {
    const blind = planOfForm(this.#model).byName.get(own)?.blind ?? new Set();
    const seen = (name: string) => {
      const filled = blind.has(name) ? undefined : this.sheet.filled.get(name);
      return filled?.isAsked ? filled : undefined;
    };
    return {
      answer: (name) => seen(name)?.answer,
      score: (name) => {
        const filled = seen(name);
        return filled === undefined ? undefined : scoreOf(filled.asking.question, filled.answer);
      },
      today: this.#today,
    };
  }
}

/** Whether a question has to be answered, given what stands around it. */
export function isRequired(sheet: Sheet, { required, requireWhen }: Question | RepeatingGroup): boolean {
  return required || (requireWhen !== null && sheet.holds(requireWhen));
}
