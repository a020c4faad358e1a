import { Choice, Field, Textarea } from '../../ui/field.tsx';
import { Loading } from '../../ui/problem.tsx';
import { words } from '../../words/segments.ts';
import { useRuleFields } from './fields.ts';
import { RuleGroup } from './rule-group.tsx';
import type { Draft } from './use-draft.ts';

/** A rule, by choosing or in words: the two are the same rule. */
export function RuleEditor({ draft }: { draft: Draft }) {
  const { fields, isReady } = useRuleFields();
  return (
    <div className="flex flex-col gap-4">
      <Choice
        legend={words.how}
        inline
        value={draft.mode}
        onChange={draft.changeMode}
        options={[
          { value: 'rules', label: words.asRules },
          { value: 'text', label: words.asText },
        ]}
      />
      {draft.isTurning || !isReady ? (
        <Loading />
      ) : draft.mode === 'text' ? (
        <Field label={words.text} hint={words.textHint} problem={draft.textProblem}>
          <Textarea
            rows={6}
            className="font-mono text-sm"
            value={draft.text}
            spellCheck={false}
            onChange={(event) => draft.changeText(event.target.value)}
          />
        </Field>
      ) : (
        <RuleGroup group={draft.group} fields={fields} onChange={draft.changeGroup} />
      )}
      <p className="text-sm text-soft">{words.healthData}</p>
    </div>
  );
}
