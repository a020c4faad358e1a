import { useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { LoadedPage } from '../../ui/loaded-page.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { words } from '../../words/person.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditPersonDialog } from './person-dialog.tsx';
import { PersonFacts } from './person-facts.tsx';
import { PersonLists } from './person-lists.tsx';
import { PersonNumbers } from './person-numbers.tsx';
import { PersonSegment } from './person-segment.tsx';
import { StoryCard } from './story-card.tsx';

type Person = Reply<'readSubscriber'>['data'];

const BACK = { label: words.back, to: '/marketing/subscribers' };

/** One person: what is known, their lists, and everything that happened. */
export function PersonPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead('readSubscriber', { params: { id }, query: { with_stats: 'true' } });
  return (
    <LoadedPage title={words.person} back={BACK} read={read}>
      {({ data }) => <Shown key={data.id} person={data} />}
    </LoadedPage>
  );
}

function Shown({ person }: { person: Person }) {
  const navigate = useNavigate();
  const mayChange = useMay('editor');
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const { full_name: fullName, email, phone_number: phone } = person.attributes;
  const name = fullName === '' ? (email ?? phone ?? words.nameless) : fullName;
  const actions = (
    <>
      <Button icon={Pencil} onClick={() => setOpen('edit')}>
        {words.edit}
      </Button>
      <Menu
        label={words.more}
        items={[{ label: words.remove, icon: Trash2, danger: true, onSelect: () => setOpen('delete') }]}
      />
    </>
  );
  return (
    <Page wide title={name} tabTitle={words.person} back={BACK} actions={mayChange && actions}>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <PersonFacts person={person} />
          <PersonLists person={person} />
          <PersonNumbers person={person} />
          <PersonSegment person={{ id: person.id, name }} />
        </div>
        <StoryCard id={person.id} />
      </div>
      {open === 'edit' && <EditPersonDialog person={person} onClose={close} />}
      {open === 'delete' && (
        <DeleteDialog
          ids={[person.id]}
          onClose={close}
          onDone={() => void navigate({ to: '/marketing/subscribers' })}
        />
      )}
    </Page>
  );
}
