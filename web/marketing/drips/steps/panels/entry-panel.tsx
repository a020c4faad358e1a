import { Notice } from '../../../../ui/badge.tsx';
import { Field, Input, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { DateTrigger, Draft } from '../../model/draft.ts';
import { NamedSelect } from '../parts/named-select.tsx';

const TRIGGERS = ['subscription_created', 'form_submitted', 'date_field', 'manual'] as const;
const ON_THE_DAY = { field: 'created_at', every: 'once', days: 0, time: '09:00' } as const satisfies DateTrigger;
const REENTRIES = ['never', 'after_leaving', 'always'] as const;

/** Who enters a drip, and whether they may do so again. */
export function EntryPanel() {
  const { draft, change, mayChange, isFrozen, nameable } = useEditing();
  const isFixed = !mayChange || isFrozen;
  const setTrigger = (trigger: string) => change({ ...draft, ...blankTrigger(trigger) });
  return (
    <>
      {isFrozen && mayChange && <Notice tone="info">{words.frozen}</Notice>}
      <NamedSelect
        label={words.list}
        hint={words.entryListHint}
        value={draft.subscription_list_id}
        options={nameable.lists}
        disabled={isFixed}
        onChange={(id) => change({ ...draft, subscription_list_id: id })}
      />
      <Field label={words.trigger}>
        <Select value={draft.start_trigger} disabled={isFixed} onChange={(event) => setTrigger(event.target.value)}>
          {TRIGGERS.map((each) => (
            <option key={each} value={each}>
              {words.triggers[each]}
            </option>
          ))}
        </Select>
      </Field>
      {draft.start_trigger === 'form_submitted' && (
        <NamedSelect
          label={words.form}
          value={draft.form_id ?? ''}
          options={nameable.forms}
          disabled={isFixed}
          onChange={(id) => change({ ...draft, form_id: id })}
        />
      )}
      {draft.start_trigger === 'date_field' && (
        <DateFields
          date={draft.date ?? { ...ON_THE_DAY, field: '' }}
          disabled={isFixed}
          onChange={(date) => change({ ...draft, date }, 'date')}
        />
      )}
      <Field label={words.reentry}>
        <Select
          value={draft.reentry}
          disabled={!mayChange}
          onChange={(event) => change({ ...draft, reentry: event.target.value })}
        >
          {REENTRIES.map((each) => (
            <option key={each} value={each}>
              {words.reentries[each]}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}

function DateFields({
  date,
  disabled,
  onChange,
}: {
  date: DateTrigger;
  disabled: boolean;
  onChange(date: DateTrigger): void;
}) {
  const { nameable } = useEditing();
  const fields = nameable.fields.filter(({ kind, isHealth }) => kind === 'date' && !isHealth);
  const when = date.days < 0 ? 'before' : 'after';
  const setDays = (days: number, side: string) =>
    onChange({ ...date, days: side === 'before' ? -Math.abs(days) : Math.abs(days) });
  return (
    <>
      <NamedSelect
        label={words.date}
        value={date.field}
        options={[{ id: 'created_at', name: words.createdAt }, ...fields.map(({ name }) => ({ id: name, name }))]}
        disabled={disabled}
        onChange={(field) => onChange({ ...date, field })}
      />
      <div className="grid grid-cols-2 gap-2">
        <Field label={words.days}>
          <Input
            type="number"
            min={0}
            max={3_650}
            value={Math.abs(date.days)}
            disabled={disabled}
            onChange={(event) => setDays(event.target.valueAsNumber || 0, when)}
          />
        </Field>
        <Field label={words.side}>
          <Select value={when} disabled={disabled} onChange={(event) => setDays(date.days, event.target.value)}>
            <option value="before">{words.before}</option>
            <option value="after">{words.after}</option>
          </Select>
        </Field>
        <Field label={words.time}>
          <Input
            type="time"
            value={date.time}
            disabled={disabled}
            onChange={({ target: { value } }) => value !== '' && onChange({ ...date, time: value })}
          />
        </Field>
        <Field label={words.every}>
          <Select
            value={date.every}
            disabled={disabled}
            onChange={(event) => onChange({ ...date, every: event.target.value })}
          >
            <option value="once">{words.once}</option>
            <option value="year">{words.eachYear}</option>
          </Select>
        </Field>
      </div>
      <p className="text-sm text-soft">{words.clockHint}</p>
    </>
  );
}

function blankTrigger(trigger: string): Pick<Draft, 'start_trigger' | 'form_id' | 'date'> {
  return {
    start_trigger: trigger,
    form_id: trigger === 'form_submitted' ? '' : null,
    date: trigger === 'date_field' ? ON_THE_DAY : null,
  };
}
