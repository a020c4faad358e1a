import { words } from '../../../words/drips/steps.ts';
import { useEditing } from '../editing.ts';
import { stepInWords } from '../model/in-words.ts';
import { standingsOf } from '../model/tree.ts';

/** The saved steps by id, each in a line; a step of an older version that is gone is told by its id. */
export function useStepNames(): { nameOf(id: string): string; all: readonly { id: string; name: string }[] } {
  const { history, names } = useEditing();
  const all = standingsOf(history.saved.steps)
    .filter(({ step }) => step.type !== 'goto')
    .map(({ step }) => ({ id: step.id, name: `${words.kinds[step.type]}: ${stepInWords(step, names)}` }));
  const byId = new Map(all.map(({ id, name }) => [id, name]));
  return { nameOf: (id) => byId.get(id) ?? id, all };
}
