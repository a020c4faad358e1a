import { words } from '../../../words/builder/properties.ts';
import { useBuilder } from '../builder-context.ts';
import { questionsFor } from '../draft/questions.ts';
import { showWhenOf, withShowWhen } from '../rules/condition.ts';
import { ConditionEditor } from '../rules/condition-editor.tsx';
import type { Raw } from './use-raw.ts';

/** When a page or an element is shown. */
export function ShowWhen({ of }: { of: Raw }) {
  const { draft } = useBuilder();
  return (
    <ConditionEditor
      legend={words.showWhen}
      source={showWhenOf(of.raw)}
      questions={questionsFor(draft, of.key)}
      onChange={(source) => of.change((raw) => withShowWhen(raw, source), 'show_when')}
    />
  );
}
