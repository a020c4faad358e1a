import type { FormModel, Question, RepeatingGroup } from '../../model/form-model.ts';
import { questionsOf } from '../../model/questions.ts';

/** The question of a plain path. Names may have dots themselves, so only that of a group tells where a path is cut. */
export function questionOf(model: FormModel, path: string): Question | RepeatingGroup | undefined {
  const questions = questionsOf(model);
  const own = questions.find(({ name }) => name === path);
  if (own !== undefined) return own;
  for (const group of questions) {
    if (group.kind !== 'group' || !path.startsWith(`${group.name}.`)) continue;
    const inside = path.slice(group.name.length + 1).replace(/^\d+\./, '');
    const found = group.items.find((item) => item.kind !== 'heading' && item.name === inside);
    if (found !== undefined && found.kind !== 'heading') return found;
  }
  return undefined;
}
