import { Field, Input, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { Happening } from '../../model/step.ts';
import { NamedSelect } from './named-select.tsx';

const EVENTS = ['opened', 'clicked', 'form_submitted', 'joined', 'left', 'custom'] as const;
type Event = (typeof EVENTS)[number];

const ANY_FORM = 'any';

interface HappeningFieldsProps {
  happening: Happening;
  disabled?: boolean;
  onChange(happening: Happening, touched?: string): void;
}

/** Something that may happen to somebody, and what it is about. */
export function HappeningFields({ happening, disabled = false, onChange }: HappeningFieldsProps) {
  return (
    <>
      <Field label={words.event}>
        <Select
          value={happening.event}
          disabled={disabled}
          onChange={(event) => onChange(blank(event.target.value as Event))}
        >
          {EVENTS.map((each) => (
            <option key={each} value={each}>
              {words.events[each]}
            </option>
          ))}
        </Select>
      </Field>
      <Subject happening={happening} disabled={disabled} onChange={onChange} />
    </>
  );
}

function Subject({ happening, disabled = false, onChange }: HappeningFieldsProps) {
  const { nameable } = useEditing();
  if ('campaign_mailing_id' in happening) {
    return (
      <NamedSelect
        label={words.mailing}
        value={happening.campaign_mailing_id}
        options={nameable.mailings}
        disabled={disabled}
        onChange={(id) => onChange({ ...happening, campaign_mailing_id: id })}
      />
    );
  }
  if (happening.event === 'form_submitted') {
    return (
      <NamedSelect
        label={words.form}
        value={happening.form_id ?? ANY_FORM}
        options={[{ id: ANY_FORM, name: words.anyForm }, ...nameable.forms]}
        disabled={disabled}
        onChange={(id) => onChange({ event: 'form_submitted', ...(id === ANY_FORM ? {} : { form_id: id }) })}
      />
    );
  }
  if ('subscription_list_id' in happening) {
    return (
      <NamedSelect
        label={words.list}
        value={happening.subscription_list_id}
        options={nameable.lists}
        disabled={disabled}
        onChange={(id) => onChange({ ...happening, subscription_list_id: id })}
      />
    );
  }
  return (
    <Field label={words.eventName} hint={words.eventNameHint}>
      <Input
        value={happening.name}
        disabled={disabled}
        onChange={(event) => onChange({ ...happening, name: event.target.value }, 'event-name')}
      />
    </Field>
  );
}

function blank(event: Event): Happening {
  switch (event) {
    case 'opened':
    case 'clicked':
      return { event, campaign_mailing_id: '' };
    case 'form_submitted':
      return { event, form_id: '' };
    case 'joined':
    case 'left':
      return { event, subscription_list_id: '' };
    case 'custom':
      break;
  }
  return { event, name: '' };
}
