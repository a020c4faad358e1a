import { useNavigate } from '@tanstack/react-router';
import { Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell, tellProblem } from '../../../ui/toast.tsx';
import { words } from '../../../words/mailings.ts';
import { words as shared } from '../../../words/shared.ts';

/** What can be done with a mailing from the list. */
export function MailingActions({ id, name }: { id: string; name: string }) {
  const [removing, setRemoving] = useState(false);
  const go = useNavigate();
  const create = useWrite('createCampaignMailing', {
    stale: ['listCampaignMailings'],
    onDone: ({ data }) => {
      tell(words.copied);
      return go({ to: '/marketing/mailings/$mailingId', params: { mailingId: data.id } });
    },
  });
  const copy = async () => {
    const { data } = await call('readCampaignMailing', { params: { id } });
    const { version: _version, created_at: _created, updated_at: _updated, ...parts } = data.attributes;
    await create.mutateAsync({ body: { campaign_mailing: { ...parts, subject: words.copyName(name) } } });
  };
  return (
    <>
      <Menu
        label={words.moreOf(name)}
        items={[
          { label: words.copy, icon: Copy, onSelect: () => void copy().catch(tellProblem) },
          { label: words.remove, icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
        ]}
      />
      {removing && <RemoveMailing id={id} name={name} onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveMailing({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const remove = useWrite('deleteCampaignMailings', {
    stale: ['listCampaignMailings'],
    onDone: () => {
      tell(words.removed);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.removeTitle(name)} lead={words.removeLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          onClick={() => remove.mutate({ body: { campaign_mailing_ids: [id] } })}
        >
          {words.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
