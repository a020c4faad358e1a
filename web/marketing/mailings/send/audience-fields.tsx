import { Choice, Field, Select, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/mailings.ts';
import { useAudience, useChoices } from './use-audience.ts';
import { isComplete, type Wish } from './wish.ts';

interface AudienceFieldsProps {
  wish: Wish;
  /** What is wrong with the addresses. */
  problem: string | undefined;
  onChange(change: Partial<Wish>): void;
}

/** A list, a segment or addresses, and how many people that is. */
export function AudienceFields({ wish, problem, onChange }: AudienceFieldsProps) {
  const { lists, segments } = useChoices();
  const { count } = useAudience(wish);
  const isChosen = isComplete({ ...wish, time: 'now' });
  return (
    <div className="flex flex-col gap-3">
      <Choice
        legend={words.toLegend}
        value={wish.audience}
        onChange={(audience) => onChange({ audience })}
        options={(['list', 'segment', 'addresses'] as const).map((value) => ({ value, label: words.audiences[value] }))}
      />
      {wish.audience === 'list' && (
        <Chooser
          label={words.list}
          none={words.noLists}
          options={lists.data?.data}
          value={wish.listId}
          onChange={(listId) => onChange({ listId })}
        />
      )}
      {wish.audience === 'segment' && (
        <Chooser
          label={words.segment}
          none={words.noSegments}
          options={segments.data?.data}
          value={wish.segmentId}
          onChange={(segmentId) => onChange({ segmentId })}
        />
      )}
      {wish.audience === 'addresses' && (
        <Field label={words.addresses} hint={words.addressesHint} problem={problem}>
          <Textarea
            rows={5}
            required
            value={wish.addresses}
            onChange={(event) => onChange({ addresses: event.target.value })}
          />
        </Field>
      )}
      <p role="status" className="text-sm font-medium">
        {isChosen && (count === null ? words.counting : words.counted(count))}
      </p>
      <p className="text-sm text-soft">{words.leftOut}</p>
    </div>
  );
}

interface ChooserProps {
  label: string;
  none: string;
  options: readonly { id: string; attributes: { name: string } }[] | undefined;
  value: string;
  onChange(value: string): void;
}

function Chooser({ label, none, options, value, onChange }: ChooserProps) {
  return (
    <Field label={label} className="max-w-md" {...(options?.length === 0 ? { hint: none } : {})}>
      <Select required value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.choose}</option>
        {options?.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
