import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Checkbox, Choice, Field, Input } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/mailings.ts';
import { AudienceFields } from './audience-fields.tsx';
import { isComplete, mistakesIn, type Wish, ZONE } from './wish.ts';

interface ChooseSendProps {
  wish: Wish;
  onChange(change: Partial<Wish>): void;
  onDone(): void;
}

/** Who gets a mailing, when and how fast. */
export function ChooseSend({ wish, onChange, onDone }: ChooseSendProps) {
  const [isAsked, setAsked] = useState(false);
  const mistakes = isAsked ? mistakesIn(wish) : {};
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (Object.keys(mistakesIn(wish)).length === 0) onDone();
      }}
    >
      <Card title={words.whom}>
        <AudienceFields wish={wish} problem={mistakes.addresses} onChange={onChange} />
      </Card>
      <Card title={words.when}>
        <div className="flex flex-col gap-3">
          <Choice
            legend={words.timeLegend}
            value={wish.time}
            onChange={(time) => onChange({ time })}
            options={[
              { value: 'now', label: words.times.now },
              { value: 'later', label: words.times.later },
            ]}
          />
          {wish.time === 'later' && (
            <Field label={words.at} hint={words.zone(ZONE)} problem={mistakes.at} className="max-w-xs">
              <Input
                type="datetime-local"
                required
                value={wish.at}
                onChange={(event) => onChange({ at: event.target.value })}
              />
            </Field>
          )}
        </div>
      </Card>
      <Card title={words.pace}>
        <div className="flex flex-col gap-3">
          <Field label={words.perSecond} hint={words.perSecondHint} optional className="max-w-xs">
            <Input
              type="number"
              min={1}
              max={10_000}
              value={wish.perSecond}
              onChange={(event) => onChange({ perSecond: event.target.value })}
            />
          </Field>
          <Checkbox
            label={words.window}
            checked={wish.hasWindow}
            onChange={() => onChange({ hasWindow: !wish.hasWindow })}
          />
          {wish.hasWindow && (
            <div className="flex flex-wrap gap-3">
              <Field label={words.windowFrom}>
                <Input
                  type="time"
                  required
                  value={wish.from}
                  onChange={(event) => onChange({ from: event.target.value })}
                />
              </Field>
              <Field label={words.windowTo} hint={words.windowHint(ZONE)}>
                <Input
                  type="time"
                  required
                  value={wish.to}
                  onChange={(event) => onChange({ to: event.target.value })}
                />
              </Field>
            </div>
          )}
        </div>
      </Card>
      <Actions>
        <Button type="submit" look="primary" disabled={!isComplete(wish)}>
          {words.review}
        </Button>
      </Actions>
    </form>
  );
}
