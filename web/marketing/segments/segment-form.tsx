import { useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useLeaveQuestion } from '../../ui/use-leave-question.ts';
import { words } from '../../words/segments.ts';
import { LiveCount } from './live-count.tsx';
import type { Filters } from './rule.ts';
import { RuleEditor } from './rule-editor.tsx';
import { useDraft, type Written } from './use-draft.ts';

interface Kept extends Written {
  name: string;
}

interface SegmentFormProps {
  /** Where what is not saved is kept, should the session end. */
  place: string;
  name: string;
  filters: Filters | null;
  isSaving: boolean;
  problem: ApiProblem | null;
  onSave(wish: { name: string } & ({ filters: Filters } | { rule: string }), onSaved: () => void): void;
}

/** The name and the rule of a segment, with who fits beside it. */
export function SegmentForm({ place, name: before, filters, isSaving, problem, onSave }: SegmentFormProps) {
  const kept = useKeptDraft(place) as Kept | undefined;
  const [name, setName] = useState(kept?.name ?? before);
  const [changes, setChanges] = useState(kept === undefined ? 0 : 1);
  const [saved, setSaved] = useState(0);
  const change = () => setChanges((count) => count + 1);
  const isDirty = changes !== saved;
  const draft = useDraft(filters, { kept, onChange: change });
  const { wish, mode, group, text } = draft;
  useKeeping(place, isDirty ? ({ name, mode, group, text } satisfies Kept) : null);
  useLeaveQuestion(isDirty);
  const save = () => {
    if (wish !== null) onSave({ name, ...wish }, () => setSaved(changes));
  };
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form
        className="min-w-0"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Card title={words.whoTitle}>
          <div className="flex flex-col gap-4">
            <Field label={words.name} hint={words.nameHint} problem={fieldProblem(problem, 'name')}>
              <Input
                value={name}
                required
                maxLength={200}
                onChange={(event) => {
                  setName(event.target.value);
                  change();
                }}
              />
            </Field>
            <RuleEditor draft={draft} />
            {draft.isTooMuch && <Notice tone="warn">{words.tooMany}</Notice>}
            {problem !== null && !isAbout(problem, 'name') && <Problem error={problem} />}
            <Actions>
              <Button type="submit" look="primary" busy={isSaving} disabled={wish === null}>
                {words.save}
              </Button>
            </Actions>
          </div>
        </Card>
      </form>
      <LiveCount counting={draft.counting} isWhole={wish !== null} />
    </div>
  );
}
