import { Choice, Field, Input, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { words as steps } from '../../../../words/drips/steps.ts';
import type { DelayStep, Until } from '../../model/step.ts';
import { SpanFields } from '../parts/span-fields.tsx';
import type { PanelProps } from './panel-props.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** How long people rest, or until when. */
export function DelayPanel({ step, onChange, disabled }: PanelProps<DelayStep>) {
  const { delay } = step;
  return (
    <>
      <fieldset disabled={disabled}>
        <Choice
          legend={words.delayKind}
          value={'until' in delay ? 'until' : 'span'}
          options={[
            { value: 'span', label: words.forAWhile },
            { value: 'until', label: words.untilATime },
          ]}
          onChange={(kind) =>
            onChange({ ...step, delay: kind === 'span' ? { span: { days: 3 } } : { until: { time: '09:00' } } })
          }
        />
      </fieldset>
      {'until' in delay ? (
        <UntilFields
          until={delay.until}
          disabled={disabled}
          onChange={(until) => onChange({ ...step, delay: { until } })}
        />
      ) : (
        <SpanFields
          label={words.howLong}
          span={delay.span}
          disabled={disabled}
          onChange={(span) => onChange({ ...step, delay: { span } }, `span:${step.id}`)}
        />
      )}
      <p className="text-sm text-soft">{words.clockHint}</p>
    </>
  );
}

function UntilFields({ until, disabled, onChange }: { until: Until; disabled: boolean; onChange(until: Until): void }) {
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field label={words.weekday}>
        <Select
          value={until.weekday ?? ''}
          disabled={disabled}
          onChange={({ target: { value } }) =>
            onChange(value === '' ? { time: until.time } : { weekday: Number(value), time: until.time })
          }
        >
          <option value="">{words.anyDay}</option>
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {steps.weekdays[day]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.time}>
        <Input
          type="time"
          required
          value={until.time}
          disabled={disabled}
          onChange={({ target: { value } }) => value !== '' && onChange({ ...until, time: value })}
        />
      </Field>
    </div>
  );
}
