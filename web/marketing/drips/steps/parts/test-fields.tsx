import { Choice } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { Test } from '../../model/step.ts';
import { NamedSelect } from './named-select.tsx';
import { RuleFields } from './rule-fields.tsx';

const KINDS = ['segment', 'filters', 'opened', 'clicked'] as const;
type Kind = (typeof KINDS)[number];

interface TestFieldsProps {
  test: Test;
  disabled?: boolean;
  onChange(test: Test, touched?: string): void;
}

/** Something that is true of somebody or not: a segment, a rule, or what they did with a mailing. */
export function TestFields({ test, disabled = false, onChange }: TestFieldsProps) {
  const { nameable } = useEditing();
  const kind = KINDS.find((each) => each in test) as Kind;
  return (
    <>
      <fieldset disabled={disabled}>
        <Choice
          legend={words.asks}
          value={kind}
          options={KINDS.map((each) => ({ value: each, label: words.tests[each] }))}
          onChange={(next) => onChange(blank(next))}
        />
      </fieldset>
      {'segment' in test && (
        <NamedSelect
          label={words.segment}
          hint={words.segmentHint}
          value={test.segment}
          options={nameable.segments}
          disabled={disabled}
          onChange={(segment) => onChange({ segment })}
        />
      )}
      {'opened' in test && (
        <NamedSelect
          label={words.mailing}
          value={test.opened}
          options={nameable.mailings}
          disabled={disabled}
          onChange={(opened) => onChange({ opened })}
        />
      )}
      {'clicked' in test && (
        <NamedSelect
          label={words.mailing}
          value={test.clicked}
          options={nameable.mailings}
          disabled={disabled}
          onChange={(clicked) => onChange({ clicked })}
        />
      )}
      {'filters' in test && (
        <RuleFields groups={test.filters} disabled={disabled} onChange={(filters) => onChange({ filters }, 'rule')} />
      )}
    </>
  );
}

function blank(kind: Kind): Test {
  switch (kind) {
    case 'segment':
      return { segment: '' };
    case 'opened':
      return { opened: '' };
    case 'clicked':
      return { clicked: '' };
    case 'filters':
      break;
  }
  return { filters: [[{ field: 'email_domain', op: 'is', terms: [''] }]] };
}
