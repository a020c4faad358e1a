import { ExternalLink, Plus } from 'lucide-react';
import { useRead } from '../../../../api/query.ts';
import { Notice } from '../../../../ui/badge.tsx';
import { ButtonAnchor } from '../../../../ui/button.tsx';
import { Field, Input } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { useEditing } from '../../editing.ts';
import type { EmailStep } from '../../model/step.ts';
import { MailPreview } from '../parts/mail-preview.tsx';
import { NamedSelect } from '../parts/named-select.tsx';
import type { PanelProps } from './panel-props.ts';

/** Which mailing a step sends, and under which subject. */
export function EmailPanel({ step, onChange, disabled }: PanelProps<EmailStep>) {
  const { nameable, drip } = useEditing();
  const { campaign_mailing_id: id, subject } = step;
  const mailing = useRead('readCampaignMailing', { params: { id } }, { enabled: id !== '' });
  const own = mailing.data?.data.attributes;
  return (
    <>
      <NamedSelect
        label={words.mailing}
        value={id}
        options={nameable.mailings}
        disabled={disabled}
        onChange={(next) => onChange({ ...step, campaign_mailing_id: next })}
      />
      <div className="flex flex-wrap gap-2">
        {id !== '' && (
          <ButtonAnchor icon={ExternalLink} href={`/app/marketing/mailings/${id}`} target="_blank" rel="noopener">
            {words.editMailing}
          </ButtonAnchor>
        )}
        <ButtonAnchor icon={Plus} href="/app/marketing/mailings" target="_blank" rel="noopener">
          {words.newMailing}
        </ButtonAnchor>
      </div>
      {drip.attributes.outdated_steps.includes(step.id) && <Notice tone="warn">{words.outdated}</Notice>}
      <Field label={words.subject} optional hint={words.subjectHint(own?.default_subject ?? own?.subject ?? '')}>
        <Input
          value={subject ?? ''}
          maxLength={255}
          disabled={disabled}
          onChange={(event) => onChange(withSubject(step, event.target.value), `subject:${step.id}`)}
        />
      </Field>
      {own !== undefined && <MailPreview mailing={own} />}
    </>
  );
}

function withSubject({ subject: _before, ...rest }: EmailStep, subject: string): EmailStep {
  return subject === '' ? rest : { ...rest, subject };
}
