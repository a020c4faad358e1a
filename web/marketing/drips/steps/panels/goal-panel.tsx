import { Choice } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { Goal } from '../../model/draft.ts';
import { HappeningFields } from '../parts/happening-fields.tsx';
import { TestFields } from '../parts/test-fields.tsx';

type Kind = 'none' | 'happening' | 'test';

/** What a drip is to bring about: whoever gets there leaves it. */
export function GoalPanel() {
  const { draft, change, mayChange } = useEditing();
  const { goal } = draft;
  const set = (next: Goal | null, touched?: string) => change({ ...draft, goal: next }, touched && `goal:${touched}`);
  const kind: Kind = goal === null ? 'none' : 'test' in goal ? 'test' : 'happening';
  return (
    <>
      <p className="text-sm text-soft">{words.goalHint}</p>
      <fieldset disabled={!mayChange}>
        <Choice
          legend={words.goalKind}
          value={kind}
          options={(['none', 'happening', 'test'] as const).map((each) => ({
            value: each,
            label: words.goalKinds[each],
          }))}
          onChange={(next) => set(blank(next))}
        />
      </fieldset>
      {goal !== null && 'happening' in goal && (
        <HappeningFields
          happening={goal.happening}
          disabled={!mayChange}
          onChange={(happening, touched) => set({ happening }, touched)}
        />
      )}
      {goal !== null && 'test' in goal && (
        <TestFields test={goal.test} disabled={!mayChange} onChange={(test, touched) => set({ test }, touched)} />
      )}
    </>
  );
}

function blank(kind: Kind): Goal | null {
  if (kind === 'none') return null;
  return kind === 'test' ? { test: { segment: '' } } : { happening: { event: 'form_submitted', form_id: '' } };
}
