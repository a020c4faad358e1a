import { Field, Input } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/mailings.ts';
import type { Draft } from './draft.ts';
import type { MergeField } from './merge-fields.ts';
import { MergeInput } from './merge-input.tsx';

type Named = 'name' | 'subject' | 'preheader' | 'fromName' | 'fromAddress' | 'replyTo';

interface DetailsProps {
  draft: Draft;
  fields: readonly MergeField[];
  problemOf(...names: string[]): string | undefined;
  onChange(name: Named, value: string): void;
}

/** What stands around the content: subject, sender and the like. */
export function Details({ draft, fields, problemOf, onChange }: DetailsProps) {
  const input = (name: Named, type = 'text') => ({
    type,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  });
  return (
    <Card title={words.details}>
      <div className="flex flex-col gap-3">
        <Field label={words.name} problem={problemOf('campaign_mailing.subject')}>
          <Input {...input('name')} />
        </Field>
        <MergeInput
          label={words.subject}
          hint={words.subjectHint}
          problem={problemOf('subject', 'campaign_mailing.default_subject')}
          value={draft.subject}
          fields={fields}
          refusePhi
          onChange={(value) => onChange('subject', value)}
        />
        <MergeInput
          label={words.preheader}
          hint={words.preheaderHint}
          optional
          problem={problemOf('preheader', 'campaign_mailing.preheader')}
          value={draft.preheader}
          fields={fields}
          refusePhi
          onChange={(value) => onChange('preheader', value)}
        />
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Field label={words.fromName} optional>
            <Input {...input('fromName')} />
          </Field>
          <Field label={words.fromAddress} hint={words.fromHint} problem={problemOf('campaign_mailing.from')}>
            <Input {...input('fromAddress', 'email')} />
          </Field>
        </div>
        <Field label={words.replyTo} optional problem={problemOf('campaign_mailing.reply_to')}>
          <Input {...input('replyTo', 'email')} />
        </Field>
      </div>
    </Card>
  );
}
