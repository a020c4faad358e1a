import { useNavigate, useParams } from '@tanstack/react-router';
import { KeyRound, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { SavedCheckbox } from '../../ui/saved-checkbox.tsx';
import { tell, tellProblem } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/domains.ts';
import { words as shared } from '../../words/shared.ts';
import { RecordPart } from './record-part.tsx';
import { DomainBadge } from './state-badge.tsx';

type Domain = Reply<'readSendingDomain'>['data'];

/** One domain: how it stands, and the records that it needs. */
export function DomainPage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead('readSendingDomain', { params: { id } });
  return <Loaded read={read}>{({ data }) => <Parts domain={data} />}</Loaded>;
}

function Parts({ domain }: { domain: Domain }) {
  const [open, setOpen] = useState<'rotate' | 'remove' | null>(null);
  const mayEdit = useMay('admin');
  const mayCheck = useMay('editor');
  const close = () => setOpen(null);
  const check = useWrite('checkSendingDomain', {
    stale: ['readSendingDomain', 'listSendingDomains'],
    onDone: ({ data }) => tell(words.checked[data.state]),
  });
  return (
    <Page
      title={domain.domain}
      back={{ label: words.back, to: '/email/domains' }}
      actions={
        <>
          {mayCheck && (
            <Button
              look="primary"
              icon={RefreshCw}
              busy={check.isPending}
              onClick={() => check.mutate({ params: { id: domain.id } }, { onError: tellProblem })}
            >
              {words.check}
            </Button>
          )}
          {mayEdit && (
            <Menu
              label={words.more}
              items={[
                { label: words.rotate, icon: KeyRound, onSelect: () => setOpen('rotate') },
                { label: words.remove, icon: Trash2, danger: true, onSelect: () => setOpen('remove') },
              ]}
            />
          )}
        </>
      }
    >
      <Standing domain={domain} mayEdit={mayEdit} />
      <Card title={words.records} lead={words.recordsLead}>
        <ul className="flex flex-col gap-4">
          {domain.records.map((record) => (
            <RecordPart key={`${record.type}-${record.name}`} record={record} />
          ))}
        </ul>
        <p className="mt-4 text-sm text-soft">{words.longValue}</p>
      </Card>
      {open === 'rotate' && <RotateDialog domain={domain} onClose={close} />}
      {open === 'remove' && <RemoveDialog domain={domain} onClose={close} />}
    </Page>
  );
}

function Standing({ domain, mayEdit }: { domain: Domain; mayEdit: boolean }) {
  const change = useWrite('updateSendingDomain', {
    stale: ['readSendingDomain', 'listSendingDomains'],
    onDone: ({ data }) => tell(data.warm_up ? words.warmUpOn : words.warmUpOff),
  });
  return (
    <Card title={words.standing}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            [words.state, <DomainBadge key="state" state={domain.state} />],
            [words.verifiedAt, <When key="verified" at={domain.verified_at} />],
            [words.lastChecked, <When key="checked" at={domain.checked_at} />],
            ...(domain.missing_since === null
              ? []
              : [[words.missingSince, <When key="missing" at={domain.missing_since} />] as const]),
            [words.returnPath, domain.return_path ? shared.yes : shared.no],
          ]}
        />
        <SavedCheckbox
          label={words.warmUp}
          hint={words.warmUpHint}
          disabled={!mayEdit}
          saved={domain.warm_up}
          busy={change.isPending}
          save={(warm_up) => change.mutate({ params: { id: domain.id }, body: { warm_up } }, { onError: tellProblem })}
        />
      </div>
    </Card>
  );
}

interface DialogProps {
  domain: Domain;
  onClose(): void;
}

function RotateDialog({ domain, onClose }: DialogProps) {
  const rotate = useWrite('rotateSendingDomainKeys', {
    stale: ['readSendingDomain', 'listSendingDomains'],
    onDone: () => {
      tell(words.rotated);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.rotate} lead={words.rotateLead}>
      {rotate.error !== null && <Problem error={rotate.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate({ params: { id: domain.id } })}>
          {words.rotate}
        </Button>
      </Actions>
    </Dialog>
  );
}

function RemoveDialog({ domain, onClose }: DialogProps) {
  const go = useNavigate();
  const remove = useWrite('deleteSendingDomain', {
    stale: ['listSendingDomains'],
    onDone: () => {
      tell(words.removed);
      void go({ to: '/email/domains' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.removeTitle(domain.domain)} lead={words.removeLead}>
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{words.keep}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: domain.id } })}>
          {words.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
