import type { ReactNode } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/segments.ts';
import { LiveCount } from './live-count.tsx';
import { RuleEditor } from './rule-editor.tsx';
import type { Writing } from './use-writing.ts';

interface SegmentFormProps {
  writing: Writing;
  overtaken?: ReactNode;
  isSaving: boolean;
  problem: ApiProblem | null;
  onSave(): void;
}

/** The name and the rule of a segment, with who fits beside it. */
export function SegmentForm({ writing, overtaken, isSaving, problem, onSave }: SegmentFormProps) {
  const { name, rule, wish, rename } = writing;
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form
        className="min-w-0"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Card title={words.whoTitle}>
          <div className="flex flex-col gap-4">
            <Field label={words.name} hint={words.nameHint} problem={fieldProblem(problem, 'name')}>
              <Input value={name} required maxLength={200} onChange={(event) => rename(event.target.value)} />
            </Field>
            <RuleEditor draft={rule} />
            {rule.isTooMuch && <Notice tone="warn">{words.tooMany}</Notice>}
            {overtaken}
            {problem !== null && !isAbout(problem, 'name') && <Problem error={problem} />}
            <Actions>
              <Button type="submit" look="primary" busy={isSaving} disabled={wish === null}>
                {words.save}
              </Button>
            </Actions>
          </div>
        </Card>
      </form>
      <LiveCount counting={rule.counting} isWhole={wish !== null} />
    </div>
  );
}
