import { Field, Input, Select } from '../../ui/field.tsx';
import { words } from '../../words/segments.ts';
import { controlOf, wantedBy } from './comparisons.ts';
import type { Kind } from './fields.ts';
import { ListTerms, MailingTerms } from './known-terms.tsx';
import { TermRows } from './term-rows.tsx';

interface RuleTermsProps {
  kind: Kind;
  op: string;
  terms: readonly string[];
  onChange(terms: string[]): void;
}

/** The values of a condition, by whichever controls its comparison needs. */
export function RuleTerms({ kind, op, terms, onChange }: RuleTermsProps) {
  const [first = '', ...others] = terms;
  const wanted = wantedBy(kind, op);
  if (wanted === 'nothing') return null;
  if (kind === 'list') return <ListTerms terms={terms} onChange={onChange} />;
  if (kind === 'mailing' && wanted === 'some') return <MailingTerms terms={terms} onChange={onChange} />;
  if (wanted === 'days') return <Days value={first} onChange={(days) => onChange([days])} />;
  if (wanted === 'days and mailings') {
    return (
      <div className="flex flex-wrap items-start gap-2">
        <Days value={first} onChange={(days) => onChange([days, ...others])} />
        <MailingTerms terms={others} onChange={(mailings) => onChange([first, ...mailings])} />
      </div>
    );
  }
  if (kind === 'yes_no') return <YesNo value={first} onChange={(value) => onChange([value])} />;
  const type = controlOf(kind, op);
  if (wanted === 'range') {
    return (
      <div className="flex flex-wrap gap-2">
        {[words.from, words.to].map((label, at) => (
          <Field key={label} label={label} hideLabel className="w-40">
            <Input
              type={type}
              step="any"
              placeholder={label}
              value={terms[at] ?? ''}
              onChange={(event) => onChange([...terms].with(at, event.target.value))}
            />
          </Field>
        ))}
      </div>
    );
  }
  return (
    <TermRows terms={terms} onChange={onChange} mayBeMany={wanted === 'some'}>
      {(term, change) => (
        <Field label={words.value} hideLabel className="grow">
          <Input
            type={type}
            step="any"
            value={term}
            maxLength={1_000}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
      )}
    </TermRows>
  );
}

function Days({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <div className="flex items-center gap-2">
      <Field label={words.days} hideLabel className="w-24">
        <Input type="number" min={1} max={36_500} value={value} onChange={(event) => onChange(event.target.value)} />
      </Field>
      <span className="text-sm">{words.daysAfter}</span>
    </div>
  );
}

function YesNo({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <Field label={words.value} hideLabel className="w-28">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="true">{words.yes}</option>
        <option value="false">{words.no}</option>
      </Select>
    </Field>
  );
}
