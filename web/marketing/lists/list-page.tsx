import { useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { LoadedPage } from '../../ui/loaded-page.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/lists.ts';
import { words as shared } from '../../words/shared.ts';
import { GrowthCard } from './growth-card.tsx';
import { EditListDialog } from './list-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import type { SubscriptionList } from './page.tsx';

const BACK = { label: words.back, to: '/marketing/lists' };

/** One list: what it is, how it grows, and who is on it. */
export function ListPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead('readSubscriptionList', { params: { id } });
  return (
    <LoadedPage title={words.title} back={BACK} read={read}>
      {({ data }) => <Shown list={data} />}
    </LoadedPage>
  );
}

function Shown({ list }: { list: SubscriptionList }) {
  const mayChange = useMay('editor');
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const { name, is_default: isDefault } = list.attributes;
  const actions = (
    <>
      <Button icon={Pencil} onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      {!isDefault && (
        <Menu
          label={words.more}
          items={[{ label: words.remove, icon: Trash2, danger: true, onSelect: () => setOpen('remove') }]}
        />
      )}
    </>
  );
  return (
    <Page wide title={name} back={BACK} actions={mayChange && actions}>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <ListFacts list={list} />
        <GrowthCard id={list.id} />
      </div>
      {mayChange && <MembersCard id={list.id} />}
      {open === 'edit' && <EditListDialog list={list} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog list={list} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function ListFacts({ list: { id, attributes } }: { list: SubscriptionList }) {
  const { subscriber_count: count, double_opt_in: doubleOptIn, form_id: form, consent_text: consent } = attributes;
  return (
    <Card title={words.factsTitle}>
      <Facts
        facts={[
          [
            words.people,
            <span key="people" className="text-xl font-semibold tabular-nums">
              {count.toLocaleString('en')}
            </span>,
          ],
          [words.confirmation, doubleOptIn ? shared.yes : shared.no],
          [
            words.form,
            form === null ? (
              words.noForm
            ) : (
              <ButtonLink key="form" to={`/forms/${form}`}>
                {words.openForm}
              </ButtonLink>
            ),
          ],
          [
            words.consent,
            consent ?? (
              <span key="consent" className="text-soft">
                {words.noConsent}
              </span>
            ),
          ],
          [words.id, <CopyText key="id" label={words.id} value={id} />],
        ]}
      />
    </Card>
  );
}

function RemoveDialog({ list: { id, attributes }, onClose }: { list: SubscriptionList; onClose(): void }) {
  const navigate = useNavigate();
  const remove = useWrite('deleteSubscriptionList', {
    stale: ['listSubscriptionLists'],
    onDone: ({ held_subscriber_ids: held = [] }) => {
      tell(held.length === 0 ? words.removed : words.removedBut(held.length));
      void navigate({ to: '/marketing/lists' });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.removeTitle(attributes.name)}
      lead={words.removeLead(attributes.subscriber_count)}
    >
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
          {words.removeConfirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
