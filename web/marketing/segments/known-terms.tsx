import { useRead } from '../../api/query.ts';
import { Field, Select } from '../../ui/field.tsx';
import { words } from '../../words/segments.ts';
import { TermRows } from './term-rows.tsx';

interface KnownTermsProps {
  terms: readonly string[];
  onChange(terms: string[]): void;
}

/** Lists, chosen by their names. */
export function ListTerms({ terms, onChange }: KnownTermsProps) {
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  const options = (lists.data?.data ?? []).map(({ id, attributes: { name } }) => ({ id, name }));
  return (
    <TermRows terms={terms} onChange={onChange} mayBeMany>
      {(term, change) => <Known label={words.listValue} options={options} value={term} onChange={change} />}
    </TermRows>
  );
}

/** Mailings, chosen by their subjects; or any mailing at all. */
export function MailingTerms({ terms, onChange }: KnownTermsProps) {
  const mailings = useRead('listCampaignMailings', { query: { pagination: 'false', order_by: 'updated_at' } });
  const named = (mailings.data?.data ?? []).map(({ id, attributes: { subject } }) => ({ id, name: subject }));
  const isAny = terms[0] === 'any';
  const options = terms.length > 1 ? named : [{ id: 'any', name: words.anyMailing }, ...named];
  return (
    <TermRows terms={terms} onChange={onChange} mayBeMany={!isAny}>
      {(term, change) => <Known label={words.mailingValue} options={options} value={term} onChange={change} />}
    </TermRows>
  );
}

interface KnownProps {
  label: string;
  options: readonly { id: string; name: string }[];
  value: string;
  onChange(value: string): void;
}

function Known({ label, options, value, onChange }: KnownProps) {
  const isListed = value === '' || options.some(({ id }) => id === value);
  return (
    <Field label={label} hideLabel className="grow">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.choose}</option>
        {!isListed && <option value={value}>{value}</option>}
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
