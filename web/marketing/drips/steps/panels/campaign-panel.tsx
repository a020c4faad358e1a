import { Field, Input, Select } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

/** What a drip is called, as whom it mails, and whose clock it goes by where a person's is not known. */
export function CampaignPanel() {
  const { draft, change, mayChange } = useEditing();
  const text = (name: 'name' | 'sender_email' | 'from_name' | 'reply_to') => ({
    value: draft[name],
    disabled: !mayChange,
    onChange: (event: { target: { value: string } }) => change({ ...draft, [name]: event.target.value }, name),
  });
  return (
    <>
      <Field label={words.name}>
        <Input maxLength={255} {...text('name')} />
      </Field>
      <Field label={words.zone} hint={words.zoneHint}>
        <Select
          value={draft.time_zone}
          disabled={!mayChange}
          onChange={(event) => change({ ...draft, time_zone: event.target.value })}
        >
          {[...new Set(['UTC', draft.time_zone, ...ZONES])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Select>
      </Field>
      <p className="text-sm text-soft">{words.senderHint}</p>
      <Field label={words.senderEmail} optional>
        <Input type="email" autoComplete="off" {...text('sender_email')} />
      </Field>
      <Field label={words.fromName} optional>
        <Input maxLength={500} autoComplete="off" {...text('from_name')} />
      </Field>
      <Field label={words.replyTo} optional>
        <Input autoComplete="off" {...text('reply_to')} />
      </Field>
    </>
  );
}
