import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Choice, Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/mailings.ts';
import { words as shared } from '../../../words/shared.ts';
import { firstBlocks } from '../blocks/kinds.ts';

/** Names a mailing and goes to where it is written. */
export function NewMailing({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [language, setLanguage] = useState<'blocks' | 'html'>('blocks');
  const clinic = useSession()?.customer?.name ?? shared.product;
  const go = useNavigate();
  const create = useWrite('createCampaignMailing', {
    stale: ['listCampaignMailings'],
    onDone: ({ data }) => go({ to: '/marketing/mailings/$mailingId', params: { mailingId: data.id } }),
  });
  const problem = create.error?.fields['campaign_mailing.subject']?.[0];
  const content = language === 'blocks' ? { blocks: firstBlocks(clinic) } : { html_part: words.firstHtml };
  return (
    <Dialog open onClose={onClose} title={words.newTitle} lead={words.newLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { campaign_mailing: { subject: name, template_type: language, ...content } } });
        }}
      >
        <Field label={words.name} problem={problem}>
          <Input required maxLength={500} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Choice
          legend={words.how}
          value={language}
          onChange={setLanguage}
          options={(['blocks', 'html'] as const).map((value) => ({
            value,
            label: words.languages[value],
            hint: words.languageHints[value],
          }))}
        />
        {create.error !== null && problem === undefined && <Problem error={create.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
