import { useParams } from '@tanstack/react-router';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/messages.ts';
import { EvidenceButton } from '../evidence-button.tsx';
import { Attempts } from './attempts.tsx';
import { Content } from './content.tsx';
import { Engagement } from './engagement.tsx';
import { Life } from './life.tsx';
import { RouteCard } from './route-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { StateBadge } from './state-badge.tsx';

type Message = Reply<'readMessage'>['data'];

const POLL_MS = 2_000;
/** Each look is written to the audit log: what takes longer than this is looked at again by whoever wants to. */
const WATCHED_MS = 60_000;

function pollWhileNew(reply: Reply<'readMessage'> | undefined): number | false {
  if (reply === undefined || reply.data.state !== 'processing') return false;
  return Date.now() - new Date(reply.data.createdAt).getTime() < WATCHED_MS ? POLL_MS : false;
}

/** One message: how it stands, its life, the proof of its encryption and its content. */
export function MessagePage() {
  const { id = '' } = useParams({ strict: false });
  const read = useRead('readMessage', { params: { id } }, { pollMs: pollWhileNew });
  const subject = read.data?.data.subject;
  return (
    <Page
      title={subject === undefined || subject === '' ? words.noSubject : subject}
      tabTitle={words.message}
      back={{ label: words.back, to: '/email/messages' }}
      actions={<EvidenceButton op="exportEvidence" id={id} />}
    >
      <Loaded read={read}>{({ data }) => <Parts message={data} />}</Loaded>
    </Page>
  );
}

function Parts({ message }: { message: Message }) {
  const domains = [...new Set(message.to.map((address) => address.slice(address.lastIndexOf('@') + 1)))];
  const left = message.state !== 'scheduled' && message.state !== 'cancelled';
  return (
    <>
      {message.state === 'scheduled' && <ScheduleCard message={message} />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Envelope message={message} />
        <Life message={message} />
      </div>
      <Attempts recipients={message.recipients} waits={message.state === 'scheduled'} />
      {left && (message.recipients.length === 1 ? <Engagement id={message.sourceTrackingId} /> : <NoEngagement />)}
      <Content content={message.content} />
      <RouteCard domains={domains} />
    </>
  );
}

function NoEngagement() {
  return (
    <Card title={words.engagement}>
      <p className="text-soft">{words.manyRecipients}</p>
    </Card>
  );
}

function Envelope({ message }: { message: Message }) {
  const { from, to, state, mode, sourceTrackingId, createdAt, template, headers } = message;
  const named = Object.entries(headers);
  return (
    <Card
      title={words.facts}
      actions={
        <>
          <StateBadge state={state} />
          {mode === 'test' && <Badge>{words.test}</Badge>}
        </>
      }
    >
      <Facts
        facts={[
          [words.from, from],
          [words.to, to.join(', ')],
          [words.accepted, <When key="at" at={createdAt} exact />],
          ...(template === null
            ? []
            : [[words.template, words.templateVersion(template.id, template.version)] as const]),
          ...(named.length === 0
            ? []
            : [[words.headers, named.map(([name, value]) => `${name}: ${value}`).join('\n')] as const]),
          [words.tracking, <CopyText key="id" label={words.tracking} value={sourceTrackingId} />],
        ]}
      />
    </Card>
  );
}
