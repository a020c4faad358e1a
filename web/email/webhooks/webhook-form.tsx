import { type ReactNode, useState } from 'react';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/webhooks.ts';
import { words as shared } from '../../words/shared.ts';
import { EVENTS } from './events.ts';

/** What a person says of a webhook. */
export interface Wish {
  target_url: string;
  events: string[];
  ordered: boolean;
}

interface WebhookFormProps {
  wish: Wish;
  onChange(wish: Wish): void;
  overtaken?: ReactNode;
  submit: string;
  busy: boolean;
  problem: ApiProblem | null;
  onSubmit(): void;
  onCancel(): void;
}

/** Address, events by their area, and order. */
export function WebhookForm({
  wish,
  onChange,
  overtaken,
  submit,
  busy,
  problem,
  onSubmit,
  onCancel,
}: WebhookFormProps) {
  const [asked, setAsked] = useState(false);
  const noEvents = asked && wish.events.length === 0 ? words.noEvents : fieldProblem(problem, 'events');
  const turn = (name: string, on: boolean) =>
    onChange({ ...wish, events: on ? [...wish.events, name] : wish.events.filter((each) => each !== name) });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (wish.events.length > 0) onSubmit();
      }}
    >
      <Field label={words.url} hint={words.urlHint} problem={fieldProblem(problem, 'target_url')}>
        <Input
          type="url"
          required
          autoComplete="off"
          spellCheck={false}
          value={wish.target_url}
          onChange={(event) => onChange({ ...wish, target_url: event.target.value })}
        />
      </Field>
      {Object.entries(EVENTS).map(([area, names]) => (
        <fieldset key={area} className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">
            {words.events}: {words.areas[area as keyof typeof EVENTS]}
          </legend>
          {names.map((name) => (
            <Checkbox
              key={name}
              label={words.event(name)}
              checked={wish.events.includes(name)}
              onChange={(event) => turn(name, event.target.checked)}
            />
          ))}
        </fieldset>
      ))}
      {noEvents !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {noEvents}
        </p>
      )}
      <Checkbox
        label={words.ordered}
        hint={words.orderedHint}
        checked={wish.ordered}
        onChange={(event) => onChange({ ...wish, ordered: event.target.checked })}
      />
      {overtaken}
      {problem !== null && !isAbout(problem, 'target_url', 'events') && <Problem error={problem} />}
      <Actions>
        <Button onClick={onCancel}>{shared.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {submit}
        </Button>
      </Actions>
    </form>
  );
}
