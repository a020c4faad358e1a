import { useNavigate, useParams } from '@tanstack/react-router';
import { History, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useAnew, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/email/templates.ts';
import { Editor, type Text } from './editor.tsx';
import { Versions } from './versions.tsx';

type Template = Reply<'readTemplate'>;

/** One template: its text, how it looks, and what it said before. */
export function TemplatePage() {
  const { id = '' } = useParams({ strict: false });
  const read = useAnew('readTemplate', { params: { id } });
  return <Loaded read={read}>{(template) => <Parts key={template.id} template={template} />}</Loaded>;
}

function Parts({ template }: { template: Template }) {
  const [open, setOpen] = useState<'versions' | 'delete' | null>(null);
  const [takenUp, setTakenUp] = useState<Text | null>(null);
  const mayEdit = useMay('editor');
  const close = () => setOpen(null);
  const items = [
    { label: words.versions, icon: History, onSelect: () => setOpen('versions') },
    ...(mayEdit ? [{ label: words.delete, icon: Trash2, danger: true, onSelect: () => setOpen('delete') }] : []),
  ];
  return (
    <Page
      wide
      title={template.name}
      lead={words.idIs(template.id, template.version)}
      back={{ label: words.back, to: '/email/templates' }}
      actions={
        <>
          {mayEdit && (
            <ButtonLink icon={Send} to="/email/messages/new" search={{ template: template.id }}>
              {words.sendWith}
            </ButtonLink>
          )}
          <Menu label={words.more} items={items} />
        </>
      }
    >
      <Editor template={template} takenUp={takenUp} mayEdit={mayEdit} />
      {open === 'versions' && (
        <Versions
          template={template}
          onClose={close}
          {...(mayEdit
            ? {
                onTakeUp: (version, text) => {
                  setTakenUp(text);
                  tell(words.takenUp(version));
                  close();
                },
              }
            : {})}
        />
      )}
      {open === 'delete' && <DeleteDialog template={template} onClose={close} />}
    </Page>
  );
}

function DeleteDialog({ template, onClose }: { template: Template; onClose(): void }) {
  const go = useNavigate();
  const remove = useWrite('deleteTemplate', {
    stale: ['listTemplates'],
    onDone: () => {
      tell(words.deleted);
      void go({ to: '/email/templates' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.deleteTitle(template.name)} lead={words.deleteLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: template.id } })}>
          {words.delete}
        </Button>
      </Actions>
    </Dialog>
  );
}
