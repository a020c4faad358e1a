import { MailOpen, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/email/sandbox.ts';
import { FindAddress } from '../find-address.tsx';
import { Opened } from './opened.tsx';

type Mail = Reply<'readSandbox'>['data'][number];

const POLL_MS = 3_000;

/** The newest messages that went to nobody; while there is none, it looks by itself. */
export function SandboxPage() {
  const [to, setTo] = useState('');
  const query = to === '' ? {} : { query: { to } };
  // Each look is written to the audit log, so it ends with the first message.
  const read = useRead('readSandbox', query, { pollMs: ({ data }) => (data.length === 0 ? POLL_MS : false) });
  return (
    <Page
      wide
      title={words.title}
      lead={words.lead}
      actions={
        <Button icon={RefreshCw} busy={read.isFetching} onClick={() => void read.refetch()}>
          {words.refresh}
        </Button>
      }
    >
      <div className="sm:max-w-96">
        <FindAddress label={words.recipient} hint={words.recipientHint} onFind={setTo} />
      </div>
      <Loaded read={read}>{({ data }) => (data.length === 0 ? <Nothing to={to} /> : <Inbox mails={data} />)}</Loaded>
    </Page>
  );
}

function Nothing({ to }: { to: string }) {
  const action = (
    <ButtonLink look="primary" to="/email/messages/new">
      {words.send}
    </ButtonLink>
  );
  return (
    <Empty icon={MailOpen} title={to === '' ? words.empty : words.noneFor(to)} action={action}>
      {words.emptyLead}
    </Empty>
  );
}

function Inbox({ mails }: { mails: readonly Mail[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const keyed = withKeys(mails);
  const open = keyed.find(({ key }) => key === chosen);
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <ul
        aria-label={words.list}
        className="flex max-h-[70dvh] flex-col divide-y overflow-y-auto rounded-lg border bg-surface"
      >
        {keyed.map(({ key, mail }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={key === chosen}
              onClick={() => setChosen(key)}
              className={classes(
                'flex w-full flex-col px-4 py-3 text-left hover:bg-sunken',
                key === chosen && 'bg-brand-soft',
              )}
            >
              <span className="w-full truncate font-medium">
                {mail.subject === '' ? words.noSubject : mail.subject}
              </span>
              <span className={classes('w-full truncate text-sm', key === chosen ? 'text-ink' : 'text-soft')}>
                {mail.to.join(', ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open === undefined ? <p className="text-soft">{words.choose}</p> : <Opened key={chosen} mail={open.mail} />}
    </div>
  );
}

/** A message is here once for each server that it went to: they are told apart by their number, the oldest first. */
function withKeys(mails: readonly Mail[]): { key: string; mail: Mail }[] {
  return mails.map((mail, at) => {
    const older = mails.slice(at + 1).filter(({ sourceTrackingId }) => sourceTrackingId === mail.sourceTrackingId);
    return { key: `${mail.sourceTrackingId} ${older.length}`, mail };
  });
}
