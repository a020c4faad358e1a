import { useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/query.ts';
import { useMay } from '../../../session/session.ts';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { words } from '../../../words/mailings.ts';
import { Deliveries } from './deliveries.tsx';
import { Links } from './links.tsx';
import { ProgressCard } from './progress-card.tsx';
import { Results } from './results.tsx';
import { pollOf, type Send } from './send.ts';
import { SendActions } from './send-actions.tsx';
import { SendState } from './send-state.tsx';
import { UncertainNotice } from './uncertain-notice.tsx';

/** One send, followed while it works, and what became of it. */
export function OneSendPage() {
  const { sendId } = useParams({ strict: false }) as { sendId: string };
  const read = useRead('readCampaignMailingSend', { params: { id: sendId } }, { pollMs: ({ data }) => pollOf(data) });
  return <Loaded read={read}>{({ data }) => <Shown send={data} />}</Loaded>;
}

function Shown({ send }: { send: Send }) {
  const { campaign_mailing_id: mailingId, state, uncertain } = send.attributes;
  const mayChange = useMay('editor');
  const mailing = useRead('readCampaignMailing', { params: { id: mailingId } });
  const name = mailing.data?.data.attributes.subject ?? words.mailing;
  return (
    <Page
      title={words.sendOf(name)}
      lead={<SendState state={state} />}
      back={{ label: words.backToMailing, to: '/marketing/mailings/$mailingId/sends', params: { mailingId } }}
      actions={mayChange && <SendActions send={send} />}
    >
      {mayChange && uncertain > 0 && <UncertainNotice send={send} />}
      <ProgressCard send={send} />
      <Results send={send} />
      <Links send={send} mayNamePeople={mayChange} />
      {mayChange && <Deliveries send={send} />}
    </Page>
  );
}
