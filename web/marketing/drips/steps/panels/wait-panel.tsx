import { Checkbox } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import type { WaitStep } from '../../model/step.ts';
import { HappeningFields } from '../parts/happening-fields.tsx';
import { SpanFields } from '../parts/span-fields.tsx';
import type { PanelProps } from './panel-props.ts';

/** What people wait for, and for how long at most. */
export function WaitPanel({ step, onChange, disabled }: PanelProps<WaitStep>) {
  const { timeout } = step;
  return (
    <>
      <HappeningFields
        happening={step.for}
        disabled={disabled}
        onChange={(happening, touched) => onChange({ ...step, for: happening }, touched && `${touched}:${step.id}`)}
      />
      <Checkbox
        label={words.giveUp}
        hint={words.giveUpHint}
        checked={timeout !== null}
        disabled={disabled}
        onChange={(event) => onChange({ ...step, timeout: event.target.checked ? { days: 3 } : null })}
      />
      {timeout !== null && (
        <SpanFields
          label={words.atMost}
          span={timeout}
          disabled={disabled}
          onChange={(span) => onChange({ ...step, timeout: span }, `timeout:${step.id}`)}
        />
      )}
    </>
  );
}
